/// What somebody chose that a meme is made by: everything but the picture, and the kind of file that comes out.
package struct Recipe: Hashable, Sendable {
  package var top = CaptionText.empty
  package var bottom = CaptionText.empty
  /// Captions of their own, in the order in which they are drawn. Where there are some, ``top`` and ``bottom`` are empty
  /// and the layout is ``CaptionLayout/overlay``.
  package var captions: [CaptionBox] = []
  package var layout = CaptionLayout.overlay
  /// What somebody chose of the style; what is `nil` is as the layout wants it, also when the layout changes.
  package var choices = StyleChoices()
  /// `nil`: all of the picture.
  package var crop: Crop?
  /// `nil`: the server's setting.
  package var maxEdge: MaxEdge?

  /// How many ``captions`` there may be.
  package static let maximumCaptions = 20

  package init() {}

  /// How captions look that have no choices of their own.
  package var style: CaptionStyle { choices.over(.standard(for: layout)) }

  /// Every caption, in the order in which people read them.
  package var texts: [CaptionText] { captions.isEmpty ? [top, bottom] : captions.map(\.text) }
}

/// Where the top and the bottom caption are.
package enum CaptionLayout: String, CaseIterable, Sendable {
  /// On the picture.
  case overlay
  /// In white bars above and below it.
  case bar
}

/// The longest edge that a render may have, in pixels. A picture is never enlarged to it.
package struct MaxEdge: Hashable, Sendable {
  package static let range = 16...16_384

  package let pixels: Int

  package init(pixels: Int) throws(InvalidValue) {
    guard Self.range.contains(pixels) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "Whole pixels from \(Self.range.lowerBound) to \(Self.range.upperBound).")
    }
    self.pixels = pixels
  }
}
