extension Meme {
  /// The meme's picture.
  public struct Image: Sendable, Hashable, Codable {
    /// Where it is, below the server's address. What is there never changes: an edited meme has another one.
    public var url: String
    public var width: Int
    public var height: Int
    public var bytes: Int
    public var mediaType: String
  }

  /// The picture as it was uploaded.
  public struct Original: Sendable, Hashable, Codable {
    public var url: String
    public var width: Int
    public var height: Int
    public var bytes: Int
    public var mediaType: String
    /// The SHA-256 digest of the file, in hexadecimal.
    public var sha256: String
  }

  /// Small pictures of the meme.
  public struct Thumbnails: Sendable, Hashable, Codable {
    public var table: Thumbnail
    public var grid: Thumbnail
  }
}

/// A small picture.
public struct Thumbnail: Sendable, Hashable, Codable {
  /// Where it is, below the server's address. What is there never changes: an edited meme has another one.
  public var url: String
  public var width: Int
  public var height: Int
}

/// Whose something is.
public struct Author: Sendable, Hashable, Codable {
  public var username: String
  /// What others read as the name; `nil` where it is the username.
  public var displayName: String?
  /// Where the person's picture is, below the server's address.
  public var avatarUrl: String
}
