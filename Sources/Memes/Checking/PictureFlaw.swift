/// Decodes a whole picture and compares it with its facts.
///
/// Returns the first difference; `nil` if the picture matches its facts. Throws ``MemeError/overloaded``,
/// ``MemeError/renderTimeout`` or ``MemeError/rendering(_:)`` if the picture could not be tested.
package typealias PictureInspection = @Sendable (PictureFile) async throws -> PictureFlaw?

/// A difference between a picture and its facts.
package enum PictureFlaw: Sendable, Equatable {
  /// The actual format; `nil` if it is not a supported one.
  case format(PictureFormat?)
  /// The actual size.
  case size(PixelSize)
  /// The picture cannot be decoded, with the library's message.
  case undecodable(String)
}
