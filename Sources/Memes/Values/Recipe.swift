/// The options of a meme, except the picture and the output format.
package struct Recipe: Hashable, Sendable {
  package var top = CaptionText.empty
  package var bottom = CaptionText.empty
  /// Captions in free boxes, in drawing order. If there are any, ``top`` and ``bottom`` are empty and the
  /// layout is ``CaptionLayout/overlay``.
  package var captions: [CaptionBox] = []
  /// Pictures in boxes, in drawing order, below all captions.
  package var pictures: [PictureBox] = []
  package var layout = CaptionLayout.overlay
  /// Whether all captions have the font size of the smallest one.
  package var sameSize = false
  /// The chosen parts of the style; `nil` follows the default of the layout, even if the layout changes.
  package var choices = StyleChoices()
  /// `nil` shows the whole picture.
  package var crop: Crop?
  /// `nil` uses the server's default.
  package var maxEdge: MaxEdge?

  /// The maximum number of ``captions``.
  package static let maximumCaptions = 20

  package init() {}

  /// The style of captions without choices of their own.
  package var style: CaptionStyle { choices.over(.standard(for: layout)) }

  /// All captions, in reading order.
  package var texts: [CaptionText] { captions.isEmpty ? [top, bottom] : captions.map(\.text) }
}

/// The position of the top and the bottom caption.
package enum CaptionLayout: String, CaseIterable, Sendable {
  /// On the picture.
  case overlay
  /// In white bars above and below the picture.
  case bar
}

/// The maximum length of a rendering's longest edge, in pixels. Pictures are never enlarged.
package struct MaxEdge: Hashable, Sendable {
  package static let range = 16...16_384

  package let pixels: Int

  package init(pixels: Int) throws(InvalidValue) {
    guard Self.range.contains(pixels) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "Must be a whole number from \(Self.range.lowerBound) to \(Self.range.upperBound)."
      )
    }
    self.pixels = pixels
  }
}
