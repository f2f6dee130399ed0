package import Memes
package import SQL

/// Stores notifications about likes of a user's memes, comments on them, and new followers, in the tables
/// `notifications` and `taken_back`.
///
/// Triggers write a notification in the transaction of the event, if the user's settings at that time ask for it. The
/// actors are read from `likes`, `comments` and `follows`.
///
/// Each call is one transaction. Reads run on the caller's thread, writes on the writer thread. Every method may throw
/// ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct NotificationStore: Sendable {
  private let writer: any Writer
  private let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// A page of the viewer's notifications, newest first. Activity of users who block the viewer, or whom the viewer
  /// blocks, is neither shown nor counted. Notifications about deleted memes are left out.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the viewer is not signed in, or the account was deleted.
  package func notifications(
    for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> NotificationPage {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      guard try authorNumber(viewer.person, in: db) != nil else { throw MemeError.unauthorized }
      let page = try Page(limit: limit) { limit, note in
        try db.all(Self.pageQuery[policy], policy.person, position?.sequence ?? .max, limit) {
          row in
          let place: Int64 = try row.next()
          note(place)
          return try Notification(&row, place: place)
        }
      } ending: {
        guard let stretch = Self.stretch(policy) else { return nil }
        return try db.value(stretch.query, policy.person, position?.sequence ?? .max)
      }
      let unread: Int? = try db.value(
        Self.unreadQuery[policy], policy.person, NotificationPage.maximumUnread)
      return NotificationPage(page: page, unread: unread ?? 0)
    }
  }

  /// Marks a notification and all older ones as read. Activity since the client fetched them stays unread. On return,
  /// this is durable. Repeating the call has no effect.
  ///
  /// - Parameter last: the newest notification that the user has seen; `nil` marks all as read.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`through`) if no notification can have this ID.
  package func markRead(through last: NotificationID?, by person: UserID) async throws {
    let place: Int64
    if let last {
      guard let found = last.place else {
        throw MemeError.invalid(field: "through", .unknownNotification)
      }
      place = found
    } else {
      place = .max
    }
    try await writer.transaction { db in
      try db.run(Self.readStatement, person.bytes, place)
    }
  }

  static let readStatement = """
    UPDATE notifications INDEXED BY notifications_unread SET is_read = TRUE
    WHERE user = \(AccessPolicy.asking) AND NOT is_read AND place <= ?2
    """

  /// Deletes one batch of notifications with the last activity at `horizon` or earlier. Also deletes the records of
  /// withdrawn activity that are older than a day; without them, the same activity causes a notification again.
  ///
  /// - Parameter time: the current time.
  /// - Returns: the number of deleted rows; 0 if nothing is left to delete.
  package func purgeNotifications(
    upTo horizon: Timestamp, at time: Timestamp, _ batch: PurgeBatch
  ) async throws -> Int {
    try await writer.transaction { db in
      let forgotten = try db.run(
        Self.forgetStatement, time.millisecondsSince1970, batch.count)
      let removed = try db.run(
        Self.purgeStatement, horizon.millisecondsSince1970, batch.count)
      return forgotten + removed
    }
  }

  /// If the clock was set back, rows are only deleted later.
  static let purgeStatement = """
    DELETE FROM notifications WHERE (user, place) IN (
      SELECT user, place FROM notifications INDEXED BY notifications_by_time
      WHERE updated_at <= ?1 ORDER BY updated_at LIMIT ?2)
    """

  /// Rows are valid for one day (86,400,000 ms), as in the triggers.
  static let forgetStatement = """
    DELETE FROM taken_back
    WHERE (actor, kind, subject) IN (
      SELECT actor, kind, subject FROM taken_back WHERE at <= ?1 - 86400000 LIMIT ?2)
    """
}

extension InvalidValue {
  package static let unknownNotification = InvalidValue(
    code: "unknown-notification", message: "No notification has this ID.")
}

extension Notification {
  /// Decodes the columns of ``NotificationStore/pageQuery`` after the place.
  fileprivate init(_ row: inout Row, place: Int64) throws {
    let kinds: [Kind] = [.like, .comment, .follow]
    let number: Int = try row.next()
    guard kinds.indices.contains(number) else {
      throw DatabaseError(.mismatch, "Unknown notification kind in the database.")
    }
    let (createdAt, updatedAt) = (try row.nextTimestamp(), try row.nextTimestamp())
    let (isRead, count): (Bool, Int) = (try row.next(), try row.next())
    let (meme, comment) = (try GridCell(&row), try Excerpt(&row))
    var actors: [Author] = []
    for _ in 0..<Self.maximumActors {
      if let actor = try row.nextAuthor() { actors.append(actor) }
    }
    self.init(
      id: NotificationID(place: place, at: updatedAt), kind: kinds[number], meme: meme,
      actors: actors, count: count, comment: comment, createdAt: createdAt, updatedAt: updatedAt,
      isRead: isRead)
  }
}

extension Notification.Excerpt {
  /// Decodes ID and text. Returns `nil` if the row has no comment.
  fileprivate init?(_ row: inout Row) throws {
    guard try !row.isNextNull else {
      try row.skip(2)
      return nil
    }
    self.init(id: CommentID(try row.nextUUID()), of: try row.next())
  }
}
