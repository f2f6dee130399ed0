/// What somebody sends to make a meme.
package struct MemeDraft: Sendable {
  package var id: MemeID?
  package var picture: PictureSource
  package var top: CaptionText
  package var bottom: CaptionText
  package var style: CaptionStyle
  /// `nil`: made from the captions.
  package var altText: AltText?
  /// `nil`: the server's setting.
  package var maxEdge: MaxEdge?
  /// `nil`: what suits the picture, of ``acceptableFormats``.
  package var format: OutputFormat?
  /// Where ``format`` is `nil`: the kinds that the client would have. Not part of what makes two drafts the same, since
  /// it says how the answer is wanted and not what was sent.
  package var acceptableFormats = OutputFormat.allCases

  package init(
    id: MemeID? = nil, picture: PictureSource, top: CaptionText = .empty,
    bottom: CaptionText = .empty, style: CaptionStyle = CaptionStyle(), altText: AltText? = nil,
    maxEdge: MaxEdge? = nil, format: OutputFormat? = nil
  ) {
    (self.id, self.picture, self.top, self.bottom) = (id, picture, top, bottom)
    (self.style, self.altText, self.maxEdge, self.format) = (style, altText, maxEdge, format)
  }
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
