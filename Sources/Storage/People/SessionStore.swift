package import Memes
package import SQL

/// Sessions, in the table `sessions`. Each call is one transaction. Tokens are stored as their digests.
///
/// Every query for valid sessions excludes expired ones, so its result does not depend on the purge.
///
/// Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct SessionStore: Sendable {
  package let lifetime: SessionLifetime
  private let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified when sessions end.
  package init(
    _ database: any Database, lifetime: SessionLifetime, observers: [any ChangeObserver] = []
  ) {
    (self.lifetime, readers) = (lifetime, database.readers)
    writer = ObservedWriter(database, observers: observers)
  }

  /// Stores a session. On return, it is durable. Ends the user's least recently used sessions if there are more than
  /// ``Session/maximumCount``.
  ///
  /// - Parameters:
  ///   - token: the digest of the token.
  ///   - password: the hash against which the password was verified.
  ///   - rehashed: a new hash of the same password to store instead; `nil` keeps the hash.
  ///   - use: the code of the second factor.
  /// - Throws: ``MemeError/codeRequired``; ``MemeError/invalidCode``.
  package func insert(
    _ session: Session, token: Digest, if password: HashedPassword,
    becoming rehashed: HashedPassword?, using use: SecondFactorUse = .off
  ) async throws -> SessionInsertion {
    try await writer.write { db in
      let found: Int64? = try db.value(
        "UPDATE users SET password = ? WHERE id = ? AND password = ? RETURNING seq",
        (rehashed ?? password).encoded, session.person.bytes, password.encoded)
      guard let person = found else { return Written(.refused) }
      try useSecondFactor(use, of: person, in: db)
      // Before a session of this device can be ended.
      let hasDevice: Bool? = try db.value(
        "SELECT EXISTS (SELECT 1 FROM sessions WHERE user = ? AND coalesce(user_agent, '') = ?)",
        person, session.client?.text ?? "")
      let ended = try db.run(
        """
        DELETE FROM sessions WHERE token IN (
          SELECT token FROM sessions WHERE user = ? ORDER BY last_used_at DESC LIMIT \(Int64.max) OFFSET ?)
        """, person, Session.maximumCount - 1)
      try db.run(
        """
        INSERT INTO sessions (token, id, user, created_at, last_used_at, user_agent)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        token.bytes, session.id.bytes, person, session.createdAt.millisecondsSince1970,
        session.lastUsedAt.millisecondsSince1970, session.client?.text)
      return Written(
        .inserted(isNewDevice: hasDevice != true),
        changes: ended > 0 ? [.signedOut(session.person)] : [])
    }
  }

  /// The session with this token; `nil` if it does not exist or has expired. Takes one lookup in the index of digests.
  ///
  /// The duration reveals nothing about the token, because an attacker cannot choose its digest. Sessions are not
  /// cached, so an ended session is invalid at once.
  ///
  /// - Parameter token: the digest of the token.
  package func session(token: Digest, at time: Timestamp) async throws -> Session? {
    let limits = lifetime.limits(at: time)
    return try await readers.read { db in
      try db.first(
        Self.tokenQuery, token.bytes, limits.used.millisecondsSince1970,
        limits.made.millisecondsSince1970
      ) { row in try Session(&row) }
    }
  }

  /// Records the use of a session, unless one was recorded within the last ``SessionLifetime/noteMilliseconds``.
  ///
  /// - Parameter session: the session as it was read. Its last use decides, without another read.
  package func noteUse(of session: Session, at time: Timestamp) async throws {
    guard lifetime.needsNote(of: time, after: session.lastUsedAt) else { return }
    try await writer.transaction { db in
      try db.run(
        "UPDATE sessions SET last_used_at = max(last_used_at, ?) WHERE id = ?",
        time.millisecondsSince1970, session.id.bytes)
    }
  }

  /// The user's valid sessions, the most recently used first.
  package func sessions(of person: UserID, at time: Timestamp) async throws -> [Session] {
    let limits = lifetime.limits(at: time)
    return try await readers.read { db in
      try db.all(
        Self.listQuery, person.bytes, limits.used.millisecondsSince1970,
        limits.made.millisecondsSince1970, Session.maximumCount
      ) { row in try Session(&row) }
    }
  }

  /// Ends one of the user's sessions. On return, its token is invalid, even after a crash.
  ///
  /// - Throws: ``MemeError/notFound`` if the user has no such session.
  package func end(_ id: SessionID, of person: UserID) async throws {
    let isEnded: Bool = try await writer.write { db in
      let ended = try db.run(
        "DELETE FROM sessions WHERE id = ? AND user = \(userOfID)", id.bytes,
        person.bytes)
      return Written(ended > 0, .signedOut(person))
    }
    guard isEnded else { throw MemeError.notFound }
  }

  /// Ends all sessions of the user, and the access tokens unless they are to be kept. On return, they are invalid, even
  /// after a crash.
  package func endAll(of person: UserID, keepingTokens: Bool = false) async throws {
    try await writer.write { db in
      try db.lock(account: person)
      try db.run("DELETE FROM sessions WHERE user = \(userOfID)", person.bytes)
      if !keepingTokens {
        try db.run("DELETE FROM access_tokens WHERE user = \(userOfID)", person.bytes)
      }
      return Written((), .signedOut(person))
    }
  }

  /// Deletes one batch of expired sessions.
  ///
  /// - Returns: the number of deleted sessions; 0 if nothing is left to delete.
  package func purgeSessions(at time: Timestamp, _ batch: PurgeBatch) async throws -> Int {
    let limits = lifetime.limits(at: time)
    return try await writer.transaction { db in
      try db.run(
        "DELETE FROM sessions WHERE token IN (\(Self.dueQuery))",
        limits.used.millisecondsSince1970, limits.made.millisecondsSince1970, batch.count)
    }
  }

  static let tokenQuery = """
    \(select) WHERE token = ? AND last_used_at > ? AND s.created_at > ?
    """

  static let listQuery = """
    \(select) WHERE users.id = ? AND last_used_at > ? AND s.created_at > ?
    ORDER BY last_used_at DESC LIMIT ?
    """

  private static let select = """
    SELECT s.id, users.id, s.created_at, last_used_at, user_agent, \(accountStatusColumns)
    FROM sessions AS s JOIN users ON users.seq = s.user
    """

  static let dueQuery = """
    SELECT token FROM sessions WHERE last_used_at <= ?
    UNION ALL SELECT token FROM sessions WHERE created_at <= ? LIMIT ?
    """
}

extension Session {
  /// Decodes the columns that ``SessionStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    self.init(
      id: SessionID(try row.nextUUID()), person: UserID(try row.nextUUID()),
      createdAt: try row.nextTimestamp(), lastUsedAt: try row.nextTimestamp(),
      client: (try row.next() as String?).flatMap(ClientName.init),
      accountStatus: try AccountStatus(&row))
  }
}

/// The result of the insertion of a session.
package enum SessionInsertion: Sendable, Equatable {
  /// The account was deleted, or its password hash changed. Nothing was written.
  case refused
  /// The session was stored. On a new device, the user had no session with this client name.
  case inserted(isNewDevice: Bool)
}
