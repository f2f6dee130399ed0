package import Bytes

/// Reads the facts of pictures.
package protocol PictureReader: Sendable {
  /// The facts in the header of the file, and its digest. The pixels are not decoded.
  ///
  /// - Throws: ``MemeError/unsupportedPicture``, ``MemeError/invalid(field:_:)`` (field `image`: a broken header, too
  ///   many pixels), ``MemeError/overloaded``, ``MemeError/renderTimeout``, ``MemeError/rendering(_:)``.
  func facts(of picture: Bytes) async throws -> PictureFacts
}
