package import Memes
package import SQLite

/// What people are told, in the table `notifications`. Triggers write it, in the transaction of what happened; who did that is read
/// from `likes`, `comments` and `follows`. Reads run on the caller's thread, writes on the writer's.
package struct SQLiteNotifications: NotificationStore {
  private let writer: Writer
  private let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func notifications(
    for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> NotificationPage {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      guard try authorNumber(viewer.person, in: db) != nil else { throw .unauthorized }
      let page = try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(Self.pageQuery[sight], sight.person, position?.sequence ?? .max, limit) {
          row throws(SQLiteError) in
          note(try row[0])
          return try Notification(row)
        }
      } ending: { () throws(MemeError) in
        guard let stretch = Self.stretch(sight) else { return nil }
        return try db.first(stretch.query, sight.person, position?.sequence ?? .max) {
          row throws(SQLiteError) in try row[0]
        }
      }
      let unread = try db.first(
        Self.unreadQuery[sight], sight.person, NotificationPage.maximumUnread
      ) { row throws(SQLiteError) in try row[0] as Int }
      return NotificationPage(page: page, unread: unread ?? 0)
    }
  }

  package func markRead(upTo place: Int64, by person: UserID) async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in
      try db.run(Self.readStatement, person.bytes, place)
    }
  }

  static let readStatement = """
    UPDATE notifications INDEXED BY notifications_unread SET is_read = 1
    WHERE user = \(Sight.asking) AND is_read = 0 AND place <= ?2
    """

  package func purgeNotifications(
    upTo horizon: Timestamp, at time: Timestamp, _ batch: PurgeBatch
  ) async throws(MemeError) -> Int {
    try await writer.transaction { db throws(MemeError) in
      let forgotten = try db.run(
        Self.forgetStatement, time.millisecondsSince1970, batch.count)
      let removed = try db.run(
        Self.purgeStatement, horizon.millisecondsSince1970, batch.count)
      return forgotten + removed
    }
  }

  /// A clock that was set back only delays this.
  static let purgeStatement = """
    DELETE FROM notifications
    WHERE updated_at <= ?1 AND place IN (SELECT place FROM notifications ORDER BY place LIMIT ?2)
    """

  /// For a day, as the triggers have it.
  static let forgetStatement = """
    DELETE FROM taken_back
    WHERE (actor, kind, subject) IN (
      SELECT actor, kind, subject FROM taken_back WHERE at <= ?1 - 86400000 LIMIT ?2)
    """
}

extension Notification {
  /// Decodes a row of ``SQLiteNotifications/pageQuery``.
  fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
    let kinds: [Kind] = [.like, .comment, .follow]
    let number: Int = try row[1]
    guard kinds.indices.contains(number) else {
      throw SQLiteError(.mismatch, "A notification is stored of a kind that is unknown.")
    }
    let time = try row.timestamp(at: 3)
    var actors: [Author] = []
    for place in 0..<Self.maximumActors {
      if let actor = try row.author(at: 13 + 4 * place) { actors.append(actor) }
    }
    self.init(
      id: NotificationID(place: try row[0], at: time), kind: kinds[number],
      meme: try GridCell(row, at: 6), actors: actors, count: try row[5], comment: try Excerpt(row),
      createdAt: try row.timestamp(at: 2), updatedAt: time, isRead: try row[4])
  }
}

extension Notification.Excerpt {
  fileprivate init?(_ row: borrowing Row) throws(SQLiteError) {
    guard let text: String = try row[12] else { return nil }
    self.init(id: CommentID(try row.uuid(at: 11)), of: text)
  }
}
