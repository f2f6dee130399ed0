public import Foundation

/// A person, as others see them.
public struct Profile: Sendable, Hashable, Codable {
  public var username: String
  public var displayName: String?
  public var bio: String?
  /// Where the person's picture is, below the server's address.
  public var avatarUrl: String
  public var createdAt: Date
  public var counts: Counts
  public var viewer: Viewer

  /// How much there is of a person, for whoever asks.
  public struct Counts: Sendable, Hashable, Codable {
    public var memes: Int
    public var followers: Int
    public var following: Int
  }

  /// What is between whoever asks and the person. Those who follow each other are friends.
  public struct Viewer: Sendable, Hashable, Codable {
    public var follows: Bool
    public var followedBy: Bool
    public var blocks: Bool
  }
}
