/// An opaque sRGB colour, 8 bits a channel.
package struct InkColour: Sendable, Hashable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  package static let white = InkColour(red: 255, green: 255, blue: 255)
  package static let black = InkColour(red: 0, green: 0, blue: 0)
}

/// How a caption is drawn.
package struct CaptionLook: Sendable {
  /// The id of a face. One that the machine does not have is drawn in the first that it has.
  package var font = "impact"
  package var fill = InkColour.white
  package var outline = InkColour.black
  /// The width of the pen that draws the outline, as a fraction of the font size; half of it shows. On small pictures it is
  /// drawn wider.
  package var outlineWidth = 0.11
  /// The largest font size, as a fraction of the picture's height, or of 30 % of its width if that is more.
  package var size = 0.14
  package var letters = Letters.capitals
  package var alignment = Alignment.center

  /// How letters are drawn that were typed small.
  package enum Letters: Sendable { case capitals, asTyped }

  /// Where lines begin or end.
  package enum Alignment: Sendable {
    case left, center, right

    /// How much of the room beside a line is left of it.
    var share: Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      }
    }
  }

  package init() {}

  /// The same with the pen for a picture of this size: half a pixel of outline is lost on a busy picture.
  func widened(forWidth width: Int, height: Int) -> CaptionLook {
    var look = self
    look.outlineWidth *= min(1.5, max(1, 400 / Double(max(width, height, 1))))
    return look
  }
}

/// Where in the picture a caption sits.
package enum CaptionEdge: Sendable {
  case top, middle, bottom

  /// How much of the room above and below the text is above.
  var share: Double {
    switch self {
    case .top: 0
    case .middle: 0.5
    case .bottom: 1
    }
  }
}

/// How a caption came out.
package struct CaptionOutcome: Sendable, Equatable {
  /// In pixels of the picture; 0 where nothing could be drawn.
  package let fontSize: Double
  package let lines: Int
  /// Whether the text is smaller than asked for.
  package let isShrunk: Bool
  /// Whether the end of the text is missing.
  package let isTruncated: Bool
  /// The characters that no installed font can draw, each once.
  package let missingGlyphs: [String]
}
