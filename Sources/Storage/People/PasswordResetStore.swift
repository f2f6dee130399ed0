package import Memes
package import SQL

/// Password resets, in the table `password_resets`. Each call is one transaction. Tokens are stored as their digests.
///
/// Reads run on the calling thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct PasswordResetStore: Sendable {
  private let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified when sessions end.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    readers = database.readers
    writer = ObservedWriter(database, observers: observers)
  }

  /// Stores a reset for the user with this email. On return, it is durable.
  ///
  /// - Parameters:
  ///   - token: the digest of the token.
  ///   - limit: resets from this time or earlier have expired.
  ///   - most: the maximum number of valid resets per user.
  /// - Returns: the user; `nil` if no user has this email, or the user has the maximum number of resets.
  package func insert(
    token: Digest, for email: EmailAddress, at time: Timestamp, after limit: Timestamp, most: Int
  ) async throws -> User? {
    try await writer.transaction { db in
      try db.lock(account: email)
      let inserted = try db.run(
        """
        INSERT INTO password_resets (token, user, created_at)
        SELECT ?, seq, ? FROM users WHERE \(db.dialect.isEmail("?")) AND (
          SELECT count(*) FROM password_resets AS r WHERE r.user = seq AND r.created_at > ?) < ?
        """,
        token.bytes, time.millisecondsSince1970, email.text, limit.millisecondsSince1970, most)
      return inserted > 0
        ? try UserStore.find("WHERE \(db.dialect.isEmail("?"))", email.text, db)?.user : nil
    }
  }

  /// Replaces all resets of a user by one that an admin hands over. On return, it is durable.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor of the entry is no longer an admin.
  package func replace(
    of username: Username, token: Digest, recording entry: AuditEntry
  ) async throws {
    try await writer.transaction { db in
      try db.lock(account: username)
      let person = "(SELECT seq FROM users WHERE username = ?)"
      try db.run("DELETE FROM password_resets WHERE user = \(person)", username.text)
      let inserted = try db.run(
        "INSERT INTO password_resets (token, user, created_at) SELECT ?, seq, ? FROM users WHERE username = ?",
        token.bytes, entry.at.millisecondsSince1970, username.text)
      guard inserted > 0 else { throw MemeError.notFound }
      try record(entry, in: db)
    }
  }

  /// Deletes a reset.
  package func withdraw(token: Digest) async throws {
    try await writer.transaction { db in
      try db.run("DELETE FROM password_resets WHERE token = ?", token.bytes)
    }
  }

  /// The user of a reset; `nil` if the reset does not exist or has expired.
  package func user(
    resetting token: Digest, after limit: Timestamp
  ) async throws -> User? {
    try await readers.read { db in
      guard let person = try Self.person(resetting: token, after: limit, db) else { return nil }
      return try UserStore.find("WHERE seq = ?", person, db)?.user
    }
  }

  /// Changes the user's password, and ends all of their sessions, access tokens and resets. Unlinks their identities,
  /// except the one that made the account. On return, this is durable.
  ///
  /// - Returns: the user; `nil` if the reset does not exist or has expired. Then nothing is written.
  package func reset(
    token: Digest, after limit: Timestamp, to password: HashedPassword, at time: Timestamp
  ) async throws -> User? {
    try await writer.write { db in
      try db.lock(accountResetting: token)
      guard let person = try Self.person(resetting: token, after: limit, db) else {
        return Written(nil)
      }
      try db.run(
        "UPDATE users SET password = ?, password_changed_at = ? WHERE seq = ?", password.encoded,
        time.millisecondsSince1970, person)
      try db.run("DELETE FROM sessions WHERE user = ?", person)
      try endAccessTokens(of: person, in: db)
      // A thief of the password may have linked an identity, which would still sign in.
      try db.run(
        """
        DELETE FROM identities WHERE user_id = ?1
          AND created_at > (SELECT created_at FROM users WHERE seq = ?1)
        """, person)
      try db.run("DELETE FROM password_resets WHERE user = ?", person)
      let user = try UserStore.find("WHERE seq = ?", person, db)?.user
      return Written(user, changes: user.map { [.signedOut($0.id)] } ?? [])
    }
  }

  /// Deletes one batch of resets from this time or earlier.
  ///
  /// - Returns: the number of deleted resets; 0 if nothing is left to delete.
  package func purgeResets(
    madeBy limit: Timestamp, _ batch: PurgeBatch
  ) async throws -> Int {
    try await writer.transaction { db in
      try db.run(
        """
        DELETE FROM password_resets WHERE token IN (
          SELECT token FROM password_resets WHERE created_at <= ? LIMIT ?)
        """, limit.millisecondsSince1970, batch.count)
    }
  }

  private static func person(
    resetting token: Digest, after limit: Timestamp, _ db: borrowing Transaction
  ) throws -> Int64? {
    try db.value(
      "SELECT user FROM password_resets WHERE token = ? AND created_at > ?", token.bytes,
      limit.millisecondsSince1970)
  }
}
