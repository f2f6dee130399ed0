public import Foundation

/// A notification about what others did. Similar events are combined into one.
public struct MemeNotification: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<MemeNotification>

  /// Identifies the notification in its current state. The ID changes when another event is added.
  public var id: ID
  public var kind: Kind
  public var read: Bool
  /// The number of likes, comments or followers.
  public var count: Int
  /// The users who acted last, at most three.
  public var actors: [Author]
  /// The meme; `nil` for notifications about followers.
  public var meme: MemeCell?
  /// The newest of the comments.
  public var comment: Excerpt?
  public var createdAt: Date
  public var updatedAt: Date

  /// The kind of event.
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
    /// The text, at most 140 characters long.
    public var text: String
  }
}

/// A page of notifications, newest first.
public struct NotificationPage: Sendable, Hashable, Decodable {
  public let items: [MemeNotification]
  public let nextCursor: Cursor?
  /// The number of unread notifications on all pages, counted up to 100.
  public let unread: Int

  /// The page in the form that ``Pages`` requires.
  public var page: Page<MemeNotification> { Page(items: items, nextCursor: nextCursor) }
}
