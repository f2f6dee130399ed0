package import Memes
package import SQLite

/// Who follows and who blocks whom, in the tables `follows` and `blocks`; triggers keep the counts in `users`.
/// Reads run on the caller's thread, writes on the writer's.
package struct SQLiteRelations: RelationStore {
  private let writer: Writer
  let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func follow(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws(MemeError) {
    try await write(between: person, and: username) { pair, db throws(MemeError) in
      guard pair.isVisible else { throw .notFound }
      let follows = try db.first(
        """
        SELECT following >= ?3, EXISTS (SELECT 1 FROM follows WHERE follower = ?1 AND followed = ?2)
        FROM users WHERE seq = ?1
        """, pair.one, pair.other, maximum
      ) { row throws(SQLiteError) in (isFull: try row[0] as Bool, already: try row[1] as Bool) }
      guard let follows, !follows.already else { return }
      guard !follows.isFull else { throw .invalid(field: "username", .tooManyFollowed) }
      try db.run(
        "INSERT INTO follows (follower, followed, created_at) VALUES (?, ?, ?)",
        pair.one, pair.other, time.millisecondsSince1970)
    }
  }

  package func unfollow(_ username: Username, by person: UserID) async throws(MemeError) {
    try await write(between: person, and: username) { pair, db throws(MemeError) in
      guard pair.isVisible else { throw .notFound }
      try db.run(
        "DELETE FROM follows WHERE follower = ? AND followed = ?", pair.one, pair.other)
    }
  }

  package func block(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws(MemeError) {
    try await write(between: person, and: username) { pair, db throws(MemeError) in
      guard pair.isVisible || pair.isBlocked else { throw .notFound }
      guard !pair.isBlocked else { return }
      let count = try db.first("SELECT count(*) FROM blocks WHERE blocker = ?", pair.one) {
        row throws(SQLiteError) in try row[0] as Int
      }
      guard let count, count < maximum else {
        throw .invalid(field: "username", .tooManyBlocked)
      }
      try db.run(
        "INSERT INTO blocks (blocker, blocked, created_at) VALUES (?, ?, ?)", pair.one, pair.other,
        time.millisecondsSince1970)
      try db.run(Self.endFollows, pair.one, pair.other)
    }
  }

  static let endFollows = """
    DELETE FROM follows
    WHERE (follower = ?1 AND followed = ?2) OR (follower = ?2 AND followed = ?1)
    """

  package func unblock(_ username: Username, by person: UserID) async throws(MemeError) {
    try await write(between: person, and: username) { pair, db throws(MemeError) in
      guard pair.isVisible || pair.isBlocked else { throw .notFound }
      try db.run("DELETE FROM blocks WHERE blocker = ? AND blocked = ?", pair.one, pair.other)
    }
  }

  /// A person and another one, by `users.seq`.
  private struct Pair {
    let one: Int64
    let other: Int64
    /// Whether neither blocks the other.
    let isVisible: Bool
    /// Whether the one blocks the other.
    let isBlocked: Bool
  }

  private func write(
    between person: UserID, and username: Username,
    _ body:
      @escaping @Sendable (Pair, borrowing Transaction<MemeError>) throws(MemeError) -> Void
  ) async throws(MemeError) {
    let sight = Sight(.person(person))
    try await writer.transaction { db throws(MemeError) in
      guard let one = try authorNumber(person, in: db) else { throw .unauthorized }
      let found = try db.first(
        """
        SELECT seq, \(sight.sees(person: "users.seq")), \(Sight.blocks(Sight.asking, "users.seq"))
        FROM users WHERE username = ?2
        """, sight.person, username.text
      ) { row throws(SQLiteError) in
        Pair(one: one, other: try row[0], isVisible: try row[1], isBlocked: try row[2])
      }
      guard let pair = found else { throw .notFound }
      guard pair.one != pair.other else { throw .invalid(field: "username", .oneself) }
      try body(pair, db)
    }
  }
}
