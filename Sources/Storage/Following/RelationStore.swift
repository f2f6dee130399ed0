package import Memes
package import SQL

/// Stores which users follow and block each other, in the tables `follows` and `blocks`. Triggers maintain the counts
/// in `users`. Users who follow each other are friends.
///
/// Each call is one transaction, which also checks whether the viewer may see the other users. Changes are durable on
/// return. Repeating a change has no effect, so a client may repeat a request after it lost the response. Reads run on
/// the caller's thread, searches on a thread for long reads, and writes on the writer thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``. A method for one user also throws ``MemeError/notFound`` if there is no such user, or if
/// one of the two users blocks the other; blocking and unblocking also work for a user whom the caller already blocks.
/// The methods that change something may also throw ``MemeError/invalid(field:_:)`` (`username`) for the user's own
/// name, and ``MemeError/unauthorized`` if the account was deleted.
package struct RelationStore: Sendable {
  /// The maximum number of users that a user can follow.
  package static let maximumFollowed = 5000
  /// The maximum number of users that a user can block. It is limited because every count shown to the user
  /// must exclude each of them.
  package static let maximumBlocked = 1000

  private let writer: any Writer
  let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// - Throws: ``MemeError/invalid(field:_:)`` (`username`) also if the user already follows ``maximumFollowed`` users.
  package func follow(_ username: Username, by person: UserID, at time: Timestamp) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible else { throw MemeError.notFound }
      let follows = try db.first(
        """
        SELECT following >= ?3, EXISTS (SELECT 1 FROM follows WHERE follower = ?1 AND followed = ?2)
        FROM users WHERE seq = ?1
        """, pair.one, pair.other, Self.maximumFollowed
      ) { row in (isFull: try row.next() as Bool, already: try row.next() as Bool) }
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

  /// Blocks a user. The two no longer follow each other, and neither can see the other.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`username`) also if the user already blocks ``maximumBlocked`` users.
  package func block(_ username: Username, by person: UserID, at time: Timestamp) async throws {
    try await write(between: person, and: username) { pair, db in
      guard pair.isVisible || pair.isBlocked else { throw MemeError.notFound }
      guard !pair.isBlocked else { return }
      let count: Int? = try db.value("SELECT count(*) FROM blocks WHERE blocker = ?", pair.one)
      guard let count, count < Self.maximumBlocked else {
        throw MemeError.invalid(field: "username", .tooManyBlocked)
      }
      try db.run(
        "INSERT INTO blocks (blocker, blocked, created_at) VALUES (?, ?, ?)", pair.one, pair.other,
        time.millisecondsSince1970)
      try db.run(Self.endFollows, pair.one, pair.other)
    }
  }

  static let endFollows = """
    DELETE FROM follows WHERE seq IN (
      SELECT seq FROM follows WHERE follower = ?1 AND followed = ?2
      UNION ALL SELECT seq FROM follows WHERE follower = ?2 AND followed = ?1)
    """

  /// Removes a block. This does not restore who followed whom.
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
      try db.lock(accounts: person, username)
      guard let one = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      let found = try db.first(
        """
        SELECT seq, \(policy.sees(person: "users.seq")), \(AccessPolicy.blocks(AccessPolicy.asking, "users.seq"))
        FROM users WHERE username = ?2
        """, policy.person, username.text
      ) { row in
        Pair(
          one: one, other: try row.next(), isVisible: try row.next(), isBlocked: try row.next())
      }
      guard let pair = found else { throw MemeError.notFound }
      guard pair.one != pair.other else { throw MemeError.invalid(field: "username", .oneself) }
      try body(pair, db)
    }
  }
}

extension InvalidValue {
  package static let oneself = InvalidValue(
    code: "oneself", message: "You cannot follow, block or report yourself.")

  package static let tooManyFollowed = InvalidValue(
    code: "too-many",
    message:
      "You cannot follow more than \(RelationStore.maximumFollowed) people. Unfollow some first.")

  package static let tooManyBlocked = InvalidValue(
    code: "too-many",
    message:
      "You cannot block more than \(RelationStore.maximumBlocked) people. Unblock some first."
  )
}
