public import Foundation

/// A picture's file, as it came.
public struct PictureFile: Sendable, Hashable {
  public let data: Data
  /// What kind of file it is, such as `image/jpeg`.
  public let mediaType: String
}
