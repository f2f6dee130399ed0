public import Foundation

/// A picture that was uploaded before the memes that use it.
public struct Upload: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Upload>

  /// The ID of the upload, for ``MemeDraft/Source/upload(_:)``. Every caller who has the ID can use the picture.
  public var id: ID
  public var width: Int
  public var height: Int
  public var mediaType: String
  public var expiresAt: Date
}

/// The state of a chunked upload.
public struct UploadState: Sendable, Hashable, Codable, Identifiable {
  public var id: Upload.ID
  /// The size of the picture in bytes.
  public var bytes: Int64
  /// The number of bytes that the server has received.
  public var offset: Int64
  /// `nil` until the upload is complete, as are the height and the media type.
  public var width: Int?
  public var height: Int?
  public var mediaType: String?
  public var expiresAt: Date
}
