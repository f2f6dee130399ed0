package import Bytes

/// What ``Publishing`` needs of something that draws.
package protocol MemeRenderer: Sendable {
  /// Draws the captions on the picture and encodes it.
  ///
  /// Waits its turn among other orders; an order that is cancelled while it waits is not drawn.
  ///
  /// - Throws: ``MemeError/unsupportedPicture``, ``MemeError/invalid(field:_:)`` (field `image`: broken or truncated,
  ///   too many pixels; field `crop`: not in the picture), ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func render(_ order: RenderOrder) async throws(MemeError) -> RenderedMeme

  /// Draws a small caption, to show that drawing works.
  func checkHealth() async throws(MemeError)
}

/// What to draw.
package struct RenderOrder: Sendable {
  package let picture: OrderedPicture
  package let recipe: Recipe
  /// The recipe's, or the server's setting.
  package let maxEdge: MaxEdge
  /// `nil`: what suits the picture, of ``acceptableFormats``.
  package let format: OutputFormat?
  package let acceptableFormats: [OutputFormat]
  /// Whether thumbnails are wanted too.
  package let thumbnails: Bool

  package init(
    picture: OrderedPicture, recipe: Recipe, maxEdge: MaxEdge, format: OutputFormat?,
    acceptableFormats: [OutputFormat] = OutputFormat.allCases, thumbnails: Bool
  ) {
    (self.picture, self.recipe, self.maxEdge) = (picture, recipe, maxEdge)
    (self.format, self.acceptableFormats, self.thumbnails) = (format, acceptableFormats, thumbnails)
  }
}

/// What was drawn.
package struct RenderedMeme: Sendable {
  /// Of the picture that was drawn on, upright.
  package let original: PictureFacts
  package let image: PictureFile
  /// `nil` where none were ordered.
  package let thumbnails: Thumbnails?
  /// The file that ``original`` is of, where it was copied.
  package let copy: Bytes?
  /// Of the captions that were drawn, in their order.
  package let fit: [CaptionFit]

  package struct Thumbnails: Sendable {
    package let table: PictureFile
    package let grid: PictureFile

    package init(table: PictureFile, grid: PictureFile) { (self.table, self.grid) = (table, grid) }
  }

  package init(
    original: PictureFacts, copy: Bytes? = nil, image: PictureFile, thumbnails: Thumbnails?,
    fit: [CaptionFit]
  ) {
    self.copy = copy
    (self.original, self.image, self.thumbnails, self.fit) = (original, image, thumbnails, fit)
  }
}
