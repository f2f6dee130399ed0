package import Memes
package import SQLite

/// Follows and blocks in SQLite, in the tables `follows` and `blocks`. Triggers maintain the counts in `users`. Reads
/// run on the caller's thread, writes on the writer thread.
package struct SQLiteRelations: RelationStore {
  private let writer: Writer
  let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func follow(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible else { throw MemeError.notFound }
      let follows = try db.first(
        """
        SELECT following >= ?3, EXISTS (SELECT 1 FROM follows WHERE follower = ?1 AND followed = ?2)
        FROM users WHERE seq = ?1
        """, pair.one, pair.other, maximum
      ) { row in (isFull: try row[0] as Bool, already: try row[1] as Bool) }
      guard let follows, !follows.already else { return }
      guard !follows.isFull else { throw MemeError.invalid(field: "username", .tooManyFollowed) }
      try db.run(
        "INSERT INTO follows (follower, followed, created_at) VALUES (?, ?, ?)",
        pair.one, pair.other, time.millisecondsSince1970)
    }
  }

  package func unfollow(_ username: Username, by person: UserID) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible else { throw MemeError.notFound }
      try db.run(
        "DELETE FROM follows WHERE follower = ? AND followed = ?", pair.one, pair.other)
    }
  }

  package func block(
    _ username: Username, by person: UserID, at time: Timestamp, atMost maximum: Int
  ) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible || pair.isBlocked else { throw MemeError.notFound }
      guard !pair.isBlocked else { return }
      let count = try db.first("SELECT count(*) FROM blocks WHERE blocker = ?", pair.one) {
        row in try row[0] as Int
      }
      guard let count, count < maximum else {
        throw MemeError.invalid(field: "username", .tooManyBlocked)
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

  package func unblock(_ username: Username, by person: UserID) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible || pair.isBlocked else { throw MemeError.notFound }
      try db.run("DELETE FROM blocks WHERE blocker = ? AND blocked = ?", pair.one, pair.other)
    }
  }

  /// The `users.seq` of the acting person and of the other person.
  private struct Pair {
    let one: Int64
    let other: Int64
    /// Whether neither person blocks the other.
    let isVisible: Bool
    /// Whether the acting person blocks the other.
    let isBlocked: Bool
  }

  private func write(
    between person: UserID, and username: Username,
    _ body:
      @escaping @Sendable (Pair, borrowing Transaction) throws -> Void
  ) async throws {
    let policy = AccessPolicy(.person(person))
    try await writer.transaction { db in
      guard let one = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      let found = try db.first(
        """
        SELECT seq, \(policy.sees(person: "users.seq")), \(AccessPolicy.blocks(AccessPolicy.asking, "users.seq"))
        FROM users WHERE username = ?2
        """, policy.person, username.text
      ) { row in
        Pair(one: one, other: try row[0], isVisible: try row[1], isBlocked: try row[2])
      }
      guard let pair = found else { throw MemeError.notFound }
      guard pair.one != pair.other else { throw MemeError.invalid(field: "username", .oneself) }
      try body(pair, db)
    }
  }
}
