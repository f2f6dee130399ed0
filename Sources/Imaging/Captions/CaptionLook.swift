/// An opaque sRGB color, 8 bits per channel.
package struct InkColor: Sendable, Hashable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  package static let white = InkColor(red: 255, green: 255, blue: 255)
  package static let black = InkColor(red: 0, green: 0, blue: 0)
}

/// How a caption is drawn.
package struct CaptionLook: Sendable {
  /// The id of a face. The standard face replaces a face that the machine lacks.
  package var font = "impact"
  package var fill = InkColor.white
  package var outline = InkColor.black
  /// The width of the pen that draws the outline, as a fraction of the font size. Half of it is visible. On small
  /// pictures the pen is wider.
  package var outlineWidth = 0.11
  /// The largest font size, as a fraction of the picture's height, or of 30 % of its width if that is larger.
  package var size = 0.14
  package var letters = Letters.capitals
  package var alignment = Alignment.center

  /// How lowercase letters are drawn.
  package enum Letters: Sendable { case capitals, asTyped }

  /// The horizontal alignment of lines.
  package enum Alignment: Sendable {
    case left, center, right

    /// The fraction of a line's spare width that is left of the line.
    var share: Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      }
    }
  }

  package init() {}

  /// Returns the look with a wider pen if a picture of this size is small: half a pixel of outline is lost
  /// on a busy picture.
  func widened(forWidth width: Int, height: Int) -> CaptionLook {
    var look = self
    look.outlineWidth *= min(1.5, max(1, 400 / Double(max(width, height, 1))))
    return look
  }
}

/// The vertical position of a caption in its picture or box.
package enum CaptionEdge: Sendable {
  case top, middle, bottom

  /// The fraction of the spare height that is above the text.
  var share: Double {
    switch self {
    case .top: 0
    case .middle: 0.5
    case .bottom: 1
    }
  }
}

/// The result of drawing a caption.
package struct CaptionOutcome: Sendable, Equatable {
  /// In pixels of the picture; 0 if nothing could be drawn.
  package let fontSize: Double
  package let lines: Int
  /// Whether the text is smaller than requested.
  package let isShrunk: Bool
  /// Whether the end of the text is missing.
  package let isTruncated: Bool
  /// The characters that no installed font can draw, each once.
  package let missingGlyphs: [String]
}
