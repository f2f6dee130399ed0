public import Foundation

/// Something that others did, all of a kind in one.
public struct MemeNotification: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<MemeNotification>

  /// Names the notification as it is: where it grows, it gets another id.
  public var id: ID
  public var kind: Kind
  public var read: Bool
  /// How many likes, comments or followers there are.
  public var count: Int
  /// Those who did it last, at most three.
  public var actors: [Author]
  /// `nil` where it is about followers.
  public var meme: MemeCell?
  /// The newest of the comments.
  public var comment: Excerpt?
  public var createdAt: Date
  public var updatedAt: Date

  /// What others did.
  public struct Kind: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let like: Self = "like"
    public static let comment: Self = "comment"
    public static let follow: Self = "follow"
  }

  /// The beginning of a comment.
  public struct Excerpt: Sendable, Hashable, Codable {
    public var id: Comment.ID
    /// At most 140 characters.
    public var text: String
  }
}

/// A page of notifications, newest first.
public struct NotificationPage: Sendable, Hashable, Decodable {
  public let items: [MemeNotification]
  public let nextCursor: Cursor?
  /// How many are unread, on other pages too; it counts up to 100.
  public let unread: Int

  /// The same as of any list, for ``Pages``.
  public var page: Page<MemeNotification> { Page(items: items, nextCursor: nextCursor) }
}
