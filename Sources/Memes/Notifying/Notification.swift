/// A notification about the activity of other users. Activity of one kind is grouped: likes of one meme, comments on
/// one meme, or new followers.
///
/// Further activity joins the notification until it is read; after that a new one begins.
package struct Notification: Sendable, Equatable {
  /// The maximum number of actors that are named.
  package static let maximumActors = 3
  /// The maximum length of a comment excerpt.
  package static let excerptCharacters = 140

  package enum Kind: String, CaseIterable, Sendable {
    case like, comment, follow
  }

  package let id: NotificationID
  package let kind: Kind
  /// The liked or commented meme; `nil` for new followers.
  package let meme: GridCell?
  /// The latest actors, the most recent first, without duplicates.
  package let actors: [Author]
  /// The number of likes, comments or followers, counting only users that the recipient may see.
  package let count: Int
  /// The newest comment; `nil` for other kinds.
  package let comment: Excerpt?
  /// The time of the first and of the last activity.
  package let createdAt: Timestamp
  package let updatedAt: Timestamp
  package let isRead: Bool

  package init(
    id: NotificationID, kind: Kind, meme: GridCell?, actors: [Author], count: Int,
    comment: Excerpt?, createdAt: Timestamp, updatedAt: Timestamp, isRead: Bool
  ) {
    (self.id, self.kind, self.meme, self.actors) = (id, kind, meme, actors)
    (self.count, self.comment, self.isRead) = (count, comment, isRead)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  /// The beginning of a comment.
  package struct Excerpt: Sendable, Equatable {
    package let id: CommentID
    package let text: String

    /// - Parameter text: the text of the comment, or a prefix that is long enough.
    package init(id: CommentID, of text: String) {
      (self.id, self.text) = (id, String(text.prefix(Notification.excerptCharacters)))
    }
  }
}

/// A page of a user's notifications, and the number of unread ones.
package struct NotificationPage: Sendable {
  /// The maximum of ``unread``. A value of this size means "this many or more".
  package static let maximumUnread = 100

  package let page: Page<Notification>
  package let unread: Int

  package init(page: Page<Notification>, unread: Int) { (self.page, self.unread) = (page, unread) }
}
