public import Foundation

/// A picture that was sent ahead of the memes that are made of it.
public struct Upload: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Upload>

  /// Names the picture for whoever has it: ``MemeDraft/Source/upload(_:)``.
  public var id: ID
  public var width: Int
  public var height: Int
  public var mediaType: String
  public var expiresAt: Date
}

/// How far an upload in pieces has come.
public struct UploadState: Sendable, Hashable, Codable, Identifiable {
  public var id: Upload.ID
  /// How many bytes the picture has.
  public var bytes: Int64
  /// How many of them are there.
  public var offset: Int64
  /// `nil` before all of it is there, as are the next.
  public var width: Int?
  public var height: Int?
  public var mediaType: String?
  public var expiresAt: Date
}
