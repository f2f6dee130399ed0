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
  package var fill = InkColour.white
  package var outline = InkColour.black
  /// The width of the pen that draws the outline, as a fraction of the font size; half of it shows.
  package var outlineWidth = 0.11
  /// The largest font size, as a fraction of the picture's height.
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
}

/// Where in the picture a caption sits.
package enum CaptionEdge: Sendable { case top, bottom }

/// The rectangle that ink and outline of a caption must stay in, in whole pixels.
package struct CaptionBox: Sendable, Equatable {
  package let left: Int
  package let top: Int
  package let width: Int
  package let height: Int

  package init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// The box of a caption in a picture: 94 % of the width by 24 % of the height, 3 % off the edges.
  package init(_ edge: CaptionEdge, inPictureOfWidth pictureWidth: Int, height pictureHeight: Int) {
    let (across, down) = (Double(pictureWidth), Double(pictureHeight))
    // Rounded inwards: a pixel that is only partly inside the box is outside it.
    left = Int((across * 0.03).rounded(.up))
    width = max(0, Int((across * 0.97).rounded(.down)) - left)
    let near = Int((down * 0.03).rounded(.up))
    height = max(0, Int((down * 0.27).rounded(.down)) - near)
    top = edge == .top ? near : pictureHeight - near - height
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
