/// A caption in a free box, anywhere on the picture.
package struct CaptionBox: Hashable, Sendable {
  /// May be blank: an editor has such a box before the user types, and nothing is drawn.
  package var text: CaptionText
  package var place: Place
  /// The rotation of box and text around the center of the box, in degrees clockwise.
  package var rotation: Double
  package var verticalAlign: VerticalAlign
  /// Differences from the meme's style.
  package var style: StyleChoices

  package static let rotations = -180.0...180.0

  /// The position of a text that does not fill its box.
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
  /// The position and size before rotation, as fractions of the cropped picture's width and height.
  package struct Place: Hashable, Sendable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package static let starts = 0.0...1.0
    package static let lengths = 0.01...1.0

    /// - Returns: `nil` if a number is out of range, or the box extends beyond the picture.
    package init?(x: Double, y: Double, width: Double, height: Double) {
      guard Self.starts.contains(x), Self.starts.contains(y), Self.lengths.contains(width),
        Self.lengths.contains(height), Self.fits(x, width), Self.fits(y, height)
      else { return nil }
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Moves a box into the picture, shortens it if it is longer, and rounds its numbers.
    ///
    /// - Returns: `nil` if a number is not finite.
    package init?(movingIntoPicture x: Double, _ y: Double, _ width: Double, _ height: Double) {
      guard [x, y, width, height].allSatisfy(\.isFinite) else { return nil }
      func short(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
      func inside(_ start: Double, _ length: Double) -> (start: Double, length: Double) {
        let length = min(max(short(length), Self.lengths.lowerBound), 1)
        let start = min(max(short(start), 0), short(1 - length))
        return (start, start + length > 1 ? 1 - start : length)
      }
      let (across, down) = (inside(x, width), inside(y, height))
      self.init(x: across.start, y: down.start, width: across.length, height: down.length)
    }

    /// Whether a length that begins at `start` ends inside the picture. The tolerance allows rounding errors, such as
    /// in a third plus two thirds.
    package static func fits(_ start: Double, _ length: Double) -> Bool {
      start + length <= 1.000001
    }
  }
}

/// The explicitly chosen parts of a style, for a meme or for one of its captions. `nil` takes the value from elsewhere.
package struct StyleChoices: Hashable, Sendable {
  package var font: FontID?
  package var fill: Color?
  package var outline: Color?
  package var outlineWidth: Double?
  package var size: Double?
  package var letterCase: CaptionStyle.LetterCase?
  package var align: CaptionStyle.Alignment?

  package init() {}

  /// The complete style: these choices, and the values of `style` for the others.
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
