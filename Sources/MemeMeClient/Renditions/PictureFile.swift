public import Foundation

/// An image file as the server sent it.
public struct PictureFile: Sendable, Hashable {
  public let data: Data
  /// The media type, such as `image/jpeg`.
  public let mediaType: String
}
