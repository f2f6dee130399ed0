extension Meme {
  /// The rendered image of a meme.
  public struct Image: Sendable, Hashable, Codable {
    /// The path, relative to the server's URL. Its content never changes: an edited meme has another path.
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

  /// The thumbnails of a meme.
  public struct Thumbnails: Sendable, Hashable, Codable {
    public var table: Thumbnail
    public var grid: Thumbnail
  }
}

/// A small version of an image.
public struct Thumbnail: Sendable, Hashable, Codable {
  /// The path, relative to the server's URL. Its content never changes: an edited meme has another path.
  public var url: String
  public var width: Int
  public var height: Int
}

/// The author of a meme or comment.
public struct Author: Sendable, Hashable, Codable {
  /// Stays the same if the username changes; `nil` if the server does not report it.
  public var id: Identifier<User>?
  public var username: String
  /// The name that other users see; `nil` if it is the username.
  public var displayName: String?
  /// The path of the profile picture, relative to the server's URL.
  public var avatarUrl: String
}
