/// What ``Publishing`` needs of something that draws.
package protocol MemeRenderer: Sendable {
  /// Draws the captions on the picture and encodes it.
  ///
  /// Waits its turn among other orders; an order that is cancelled while it waits is not drawn.
  ///
  /// - Throws: ``MemeError/unsupportedPicture``, ``MemeError/invalid(field:_:)`` (field `image`: broken or truncated,
  ///   too many pixels), ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func render(_ order: RenderOrder) async throws(MemeError) -> RenderedMeme

  /// Draws a small caption, to show that drawing works.
  func checkHealth() async throws(MemeError)
}

/// What to draw.
package struct RenderOrder: Sendable {
  package let picture: OrderedPicture
  package let top: CaptionText
  package let bottom: CaptionText
  package let style: CaptionStyle
  package let maxEdge: MaxEdge
  /// `nil`: what suits the picture, of ``acceptableFormats``.
  package let format: OutputFormat?
  package let acceptableFormats: [OutputFormat]
  /// Whether thumbnails are wanted too. Without them it is a preview, which another will follow.
  package let thumbnails: Bool

  package init(
    picture: OrderedPicture, top: CaptionText, bottom: CaptionText, style: CaptionStyle,
    maxEdge: MaxEdge, format: OutputFormat?,
    acceptableFormats: [OutputFormat] = OutputFormat.allCases, thumbnails: Bool
  ) {
    (self.picture, self.top, self.bottom, self.style) = (picture, top, bottom, style)
    (self.maxEdge, self.format, self.thumbnails) = (maxEdge, format, thumbnails)
    self.acceptableFormats = acceptableFormats
  }
}

/// What was drawn.
package struct RenderedMeme: Sendable {
  /// Of the uploaded picture, upright.
  package let original: PictureFacts
  package let image: PictureFile
  /// `nil` where none were ordered.
  package let thumbnails: Thumbnails?
  package let fit: [CaptionFit]

  package struct Thumbnails: Sendable {
    package let table: PictureFile
    package let grid: PictureFile

    package init(table: PictureFile, grid: PictureFile) { (self.table, self.grid) = (table, grid) }
  }

  package init(
    original: PictureFacts, image: PictureFile, thumbnails: Thumbnails?, fit: [CaptionFit]
  ) {
    (self.original, self.image, self.thumbnails, self.fit) = (original, image, thumbnails, fit)
  }
}
