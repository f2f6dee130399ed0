package import Bytes

/// Draws memes.
package protocol MemeRenderer: Sendable {
  /// Draws the captions on the picture and encodes it.
  ///
  /// The order waits in a queue. If its task is canceled while it waits, it is not drawn.
  ///
  /// - Throws: ``MemeError/unsupportedPicture``, ``MemeError/invalid(field:_:)`` (field ``RenderOrder/pictureField``:
  ///   broken, truncated or too many pixels; field `crop`: not inside the picture),
  ///   ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func render(_ order: RenderOrder) async throws -> RenderedMeme
}

/// The input of a rendering.
package struct RenderOrder: Sendable {
  package let picture: RenderSource
  /// The field of the request from which the picture came, for errors.
  package var pictureField = "image"
  /// The pictures of the recipe's boxes, in their order.
  package var boxed: [BoxSource] = []
  package let recipe: Recipe
  /// From the recipe, or the server's default.
  package let maxEdge: MaxEdge
  /// `nil` chooses the best of ``acceptableFormats`` for the picture.
  package let format: OutputFormat?
  package let acceptableFormats: [OutputFormat]
  /// Whether to make thumbnails too.
  package let thumbnails: Bool
  /// The size of the canvas in whose middle the picture is put; `nil` for none.
  package var canvas: PixelSize?
  /// The size that the picture and its bars must not exceed, in addition to ``maxEdge``; `nil` for none.
  package var sizeLimit: PixelSize?

  package init(
    picture: RenderSource, recipe: Recipe, maxEdge: MaxEdge, format: OutputFormat?,
    acceptableFormats: [OutputFormat] = OutputFormat.allCases, thumbnails: Bool
  ) {
    (self.picture, self.recipe, self.maxEdge) = (picture, recipe, maxEdge)
    (self.format, self.acceptableFormats, self.thumbnails) = (format, acceptableFormats, thumbnails)
  }
}

/// The result of a rendering.
package struct RenderedMeme: Sendable {
  /// The facts of the source picture, upright.
  package let original: PictureFacts
  package let image: PictureFile
  /// `nil` if the order asked for none.
  package let thumbnails: Thumbnails?
  /// The file that ``original`` describes, if the source was copied.
  package let copy: Bytes?
  /// The copy of each picture in a box; `nil` for one that was not copied.
  package var boxed: [PictureFile?] = []
  /// How each drawn caption fits its box, in order.
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
