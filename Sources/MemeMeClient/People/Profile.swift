public import Foundation

/// A user, as other users see them.
public struct Profile: Sendable, Hashable, Codable {
  /// Stays the same if the username changes; `nil` if the server does not report it.
  public var id: Identifier<User>?
  public var username: String
  public var displayName: String?
  public var bio: String?
  /// The path of the profile picture, relative to the server's URL.
  public var avatarUrl: String
  public var createdAt: Date
  public var counts: Counts
  public var viewer: Viewer
  /// The time of the like, in a list of likes.
  public var likedAt: Date?
  /// The time of the follow, in lists of followers, followed people and friends.
  public var followedAt: Date?

  /// The numbers of memes, followers and followed users, as visible to the caller.
  public struct Counts: Sendable, Hashable, Codable {
    public var memes: Int
    public var followers: Int
    public var following: Int
  }

  /// The relationship between the caller and the user. Users who follow each other are friends.
  public struct Viewer: Sendable, Hashable, Codable {
    public var follows: Bool
    public var followedBy: Bool
    public var blocks: Bool
  }
}
