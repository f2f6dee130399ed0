/// A caption in a box of its own, anywhere on the picture.
package struct CaptionBox: Hashable, Sendable {
  /// May be blank: an editor has such a box before anything is typed, and nothing is drawn.
  package var text: CaptionText
  package var place: Place
  /// Of box and text, about the box's middle, in degrees clockwise.
  package var rotation: Double
  package var verticalAlign: VerticalAlign
  /// What differs from the meme's style.
  package var style: StyleChoices

  package static let rotations = -180.0...180.0

  /// Where a text sits that does not fill its box.
  package enum VerticalAlign: String, CaseIterable, Sendable { case top, middle, bottom }

  package init(
    text: CaptionText, place: Place, rotation: Double = 0, verticalAlign: VerticalAlign = .middle,
    style: StyleChoices = StyleChoices()
  ) {
    (self.text, self.place, self.rotation) = (text, place, rotation)
    (self.verticalAlign, self.style) = (verticalAlign, style)
  }
}

extension CaptionBox {
  /// Where a box is before it is turned: fractions of the picture's width and height, of what a crop leaves of it.
  package struct Place: Hashable, Sendable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package static let starts = 0.0...1.0
    package static let lengths = 0.01...1.0

    /// - Returns: `nil` where a number is out of its range, or the box reaches out of the picture.
    package init?(x: Double, y: Double, width: Double, height: Double) {
      guard Self.starts.contains(x), Self.starts.contains(y), Self.lengths.contains(width),
        Self.lengths.contains(height), Self.fits(x, width), Self.fits(y, height)
      else { return nil }
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Whether what begins at `start` ends in the picture. A third and two thirds may be a little over one.
    package static func fits(_ start: Double, _ length: Double) -> Bool {
      start + length <= 1.000001
    }
  }
}

/// Of a style, what somebody chose: for a meme, or for one of its captions. What is `nil` is decided elsewhere.
package struct StyleChoices: Hashable, Sendable {
  package var font: FontID?
  package var fill: Colour?
  package var outline: Colour?
  package var outlineWidth: Double?
  package var size: Double?
  package var letterCase: CaptionStyle.LetterCase?
  package var align: CaptionStyle.Alignment?

  package init() {}

  /// The whole style, where this one is what nobody chose.
  package func over(_ style: CaptionStyle) -> CaptionStyle {
    var whole = style
    whole.font = font ?? style.font
    whole.fill = fill ?? style.fill
    whole.outline = outline ?? style.outline
    whole.outlineWidth = outlineWidth ?? style.outlineWidth
    whole.size = size ?? style.size
    whole.letterCase = letterCase ?? style.letterCase
    whole.align = align ?? style.align
    return whole
  }
}
