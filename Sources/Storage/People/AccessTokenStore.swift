package import Memes
package import SQL

/// Access tokens, in the table `access_tokens`. Each call is one transaction. Secrets are stored as their digests.
///
/// Reads run on the calling thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct AccessTokenStore: Sendable {
  private let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified when tokens end.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    readers = database.readers
    writer = ObservedWriter(database, observers: observers)
  }

  /// Stores a token. On return, it is durable. Deletes the user's expired ones.
  ///
  /// - Parameters:
  ///   - secret: the digest of the secret.
  ///   - password: the hash against which the password was verified; `nil` if none was necessary.
  ///   - session: the session of the request, which must still exist.
  ///   - use: the code of the second factor.
  ///   - most: the maximum number of valid tokens of the user.
  /// - Returns: `false` if the session has ended, or the password hash changed. Then nothing is written.
  /// - Throws: ``MemeError/suspended``; ``MemeError/forbidden`` if an account without the admin role wants the scope
  ///   `admin`; ``MemeError/tooManyTokens``; ``MemeError/codeRequired``; ``MemeError/invalidCode``.
  package func insert(
    _ token: AccessToken, secret: Digest, if password: HashedPassword?, in session: SessionID,
    using use: SecondFactorUse = .off, most: Int = AccessToken.maximumCount
  ) async throws -> Bool {
    try await writer.transaction { db in
      guard
        let (person, status) = try provenAccount(of: token.person, if: password, in: session, db)
      else { return false }
      try useSecondFactor(use, of: person, in: db)
      guard status.role == .admin || !token.scopes.permits(.admin) else {
        throw MemeError.forbidden
      }
      let now = token.createdAt.millisecondsSince1970
      try db.run("DELETE FROM access_tokens WHERE user = ? AND expires_at <= ?", person, now)
      let count: Int? = try db.value("SELECT count(*) FROM access_tokens WHERE user = ?", person)
      guard count ?? 0 < most else { throw MemeError.tooManyTokens }
      try db.run(
        """
        INSERT INTO access_tokens (id, token, user, name, scopes, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, token.id.bytes, secret.bytes, person, token.name.text, token.scopes.number, now,
        token.expiresAt?.millisecondsSince1970)
      return true
    }
  }

  /// The token with this secret; `nil` if it does not exist or has expired. Takes one lookup in the index of digests.
  ///
  /// Tokens are not cached, so a deleted token is invalid at once, on all servers.
  ///
  /// - Parameter secret: the digest of the secret.
  package func token(secret: Digest, at time: Timestamp) async throws -> AccessToken? {
    try await readers.read { db in
      try db.first(Self.secretQuery, secret.bytes, time.millisecondsSince1970) { row in
        try AccessToken(&row)
      }
    }
  }

  /// The user's valid tokens, the newest first.
  package func tokens(of person: UserID, at time: Timestamp) async throws -> [AccessToken] {
    try await readers.read { db in
      try db.all(
        Self.listQuery, person.bytes, time.millisecondsSince1970, AccessToken.maximumCount
      ) { row in try AccessToken(&row) }
    }
  }

  /// Deletes one of the user's tokens. On return, its secret is invalid, even after a crash.
  ///
  /// - Throws: ``MemeError/notFound`` if the user has no such token.
  package func delete(_ id: AccessTokenID, of person: UserID) async throws {
    let isDeleted: Bool = try await writer.write { db in
      let deleted = try db.run(
        "DELETE FROM access_tokens WHERE id = ? AND user = \(userOfID)", id.bytes, person.bytes)
      return Written(deleted > 0, .signedOut(person))
    }
    guard isDeleted else { throw MemeError.notFound }
  }

  /// Records the uses of tokens. Has no effect on tokens that no longer exist.
  package func noteUses(_ uses: [AccessTokenID: Timestamp]) async throws {
    try await writer.transaction { db in
      // In one order, so that two servers do not wait for each other.
      for (id, time) in uses.sorted(by: { $0.key.description < $1.key.description }) {
        try db.run(
          """
          UPDATE access_tokens SET last_used_at = ?1
          WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)
          """,
          time.millisecondsSince1970, id.bytes)
      }
    }
  }

  /// Deletes one batch of expired tokens.
  ///
  /// - Returns: the number of deleted tokens; 0 if nothing is left to delete.
  package func purgeTokens(at time: Timestamp, _ batch: PurgeBatch) async throws -> Int {
    try await writer.transaction { db in
      try db.run(
        """
        DELETE FROM access_tokens WHERE seq IN (
          SELECT seq FROM access_tokens WHERE expires_at <= ? LIMIT ?)
        """, time.millisecondsSince1970, batch.count)
    }
  }

  static let secretQuery = "\(select) WHERE t.token = ? AND \(isValid)"

  static let listQuery = """
    \(select) WHERE t.user = (SELECT seq FROM users WHERE id = ?) AND \(isValid)
    ORDER BY t.seq DESC LIMIT ?
    """

  private static let isValid = "(t.expires_at IS NULL OR t.expires_at > ?)"

  private static let select = """
    SELECT t.id, users.id, t.name, t.scopes, t.expires_at, t.created_at, t.last_used_at,
      \(accountStatusColumns)
    FROM access_tokens AS t JOIN users ON users.seq = t.user
    """
}

/// Deletes the access tokens of an account, which must be locked.
func endAccessTokens(of person: Int64, in db: borrowing Transaction) throws {
  try db.run("DELETE FROM access_tokens WHERE user = ?", person)
}

extension TokenScopes {
  /// The stored value.
  var number: Int { all.reduce(0) { $0 | $1.bit } }

  /// Decodes ``number``.
  fileprivate init(number: Int) throws {
    guard number < 1 << TokenScope.allCases.count,
      let scopes = TokenScopes(Set(TokenScope.allCases.filter { number & $0.bit != 0 }))
    else { throw DatabaseError(.mismatch, "Unknown scope in the database.") }
    self = scopes
  }
}

extension TokenScope {
  fileprivate var bit: Int {
    switch self {
    case .read: 1
    case .write: 2
    case .admin: 4
    }
  }
}

extension AccessToken {
  /// Decodes the columns that ``AccessTokenStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    let (id, person) = (AccessTokenID(try row.nextUUID()), UserID(try row.nextUUID()))
    let terms = Terms(
      name: TokenName(stored: try row.next()), scopes: try TokenScopes(number: try row.next()),
      expiresAt: try row.nextOptionalTimestamp())
    self.init(
      id: id, of: person, terms, createdAt: try row.nextTimestamp(),
      lastUsedAt: try row.nextOptionalTimestamp(), accountStatus: try AccountStatus(&row))
  }
}
