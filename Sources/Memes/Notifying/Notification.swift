/// Something that others did and a person is told of, all of a kind in one: likes of one of their memes, comments on it, or people
/// who follow them.
///
/// What happens before it is read joins it; from then on something new begins.
package struct Notification: Sendable, Equatable {
  /// At most so many of those who did it are named.
  package static let maximumActors = 3
  /// Of a comment so much is shown.
  package static let excerptCharacters = 140

  package enum Kind: String, CaseIterable, Sendable {
    case like, comment, follow
  }

  package let id: NotificationID
  package let kind: Kind
  /// What they liked or commented on; `nil` for people who follow.
  package let meme: GridCell?
  /// Those who did it last, the last one first, each once.
  package let actors: [Author]
  /// How many likes, comments or followers there are, of people whom the person sees.
  package let count: Int
  /// The newest comment; `nil` where it is about something else.
  package let comment: Excerpt?
  /// When the first of it happened, and the last.
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

  /// How a comment begins.
  package struct Excerpt: Sendable, Equatable {
    package let id: CommentID
    package let text: String

    /// - Parameter text: the comment's, or a part of it that is long enough.
    package init(id: CommentID, of text: String) {
      (self.id, self.text) = (id, String(text.prefix(Notification.excerptCharacters)))
    }
  }
}

/// Some of what somebody is told, and how much of it all is unread.
package struct NotificationPage: Sendable {
  /// ``unread`` is no more than this, and then may stand for more.
  package static let maximumUnread = 100

  package let page: Page<Notification>
  package let unread: Int

  package init(page: Page<Notification>, unread: Int) { (self.page, self.unread) = (page, unread) }
}
