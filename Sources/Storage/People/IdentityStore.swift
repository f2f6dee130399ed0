package import Memes
package import SQL

/// Identities at providers of single sign-ons, in the table `identities`. Each call is one transaction, and durable on
/// return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct IdentityStore: Sendable {
  let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified when an account gets another role.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
  }

  /// The account of an identity, whose use is recorded; `nil` if no account has it.
  package func use(_ identity: ProviderIdentity, at time: Timestamp) async throws -> Account? {
    try await writer.transaction { db in
      let person: Int64? = try db.value(
        "UPDATE identities SET last_used_at = ? WHERE issuer = ? AND subject = ? RETURNING user_id",
        time.millisecondsSince1970, identity.issuer, identity.subject)
      return try person.flatMap { try UserStore.find("WHERE seq = ?", $0, db) }
    }
  }

  /// Stores a new account with its only identity, and uses its invitation.
  ///
  /// - Parameters:
  ///   - usernames: the first one that is free replaces the username of the account.
  ///   - code: the digest of the invitation's code, which decides the role; `nil` without an invitation.
  /// - Returns: the account; the one that has the identity if another request was first.
  /// - Throws: ``MemeError/invalidInvitation``; ``MemeError/usernameTaken`` if no username is free;
  ///   ``MemeError/signInToLink`` if an account has the email.
  package func insert(
    _ account: Account, _ id: IdentityID, _ identity: ProviderIdentity, usernames: [Username],
    invitation code: Digest?
  ) async throws -> Account {
    do {
      return try await insertOnce(account, id, identity, usernames: usernames, invitation: code)
    } catch MemeError.usernameTaken {
      // Another transaction may have taken it since this one looked. The next username may be free.
      return try await insertOnce(account, id, identity, usernames: usernames, invitation: code)
    }
  }

  private func insertOnce(
    _ account: Account, _ id: IdentityID, _ identity: ProviderIdentity, usernames: [Username],
    invitation code: Digest?
  ) async throws -> Account {
    try await writer.transaction { db in
      let time = account.user.createdAt
      if let code { try db.lock(inviterOf: code) }
      try db.lock(identity)
      if let first = try owner(of: identity, in: db) { return first }
      var user = account.user
      user.username = try firstFree(of: usernames, at: time, in: db)
      if let code {
        user.role = try useInvitation(code, for: user.email, mustBeSetup: false, at: time, in: db)
      }
      let made = Account(
        user: user, password: account.password,
        accountStatus: AccountStatus(role: user.role, isSuspended: false))
      do { try insertAccount(made, in: db) } catch MemeError.emailTaken {
        throw MemeError.signInToLink
      }
      try insertIdentity(id, identity, of: user.id, at: time, in: db)
      return made
    }
  }

  /// Links an identity to the account whose email both the provider and this server have confirmed.
  ///
  /// Not if the account has an identity already, because then a provider may have confirmed the email, or a second
  /// factor, which the provider does not know.
  ///
  /// - Throws: ``MemeError/signInToLink`` if its user must link the identity; ``MemeError/suspended``.
  package func adopt(
    _ identity: ProviderIdentity, as id: IdentityID, with email: EmailAddress, at time: Timestamp
  ) async throws -> Account {
    try await writer.transaction { db in
      try db.lock(account: email)
      try db.lock(identity)
      if let first = try owner(of: identity, in: db) { return first }
      let found = try UserStore.find("WHERE \(db.dialect.isEmail("?"))", email.text, db)
      guard let account = found, account.user.emailConfirmedAt != nil,
        try !hasOtherWay(account.user.id, in: db)
      else { throw MemeError.signInToLink }
      guard !account.accountStatus.isSuspended else { throw MemeError.suspended }
      try insertIdentity(id, identity, of: account.user.id, at: time, in: db)
      return account
    }
  }

  /// Links an identity to the account of a signed-in user. Has no effect if it is linked to it already.
  ///
  /// - Parameter session: the session of the user, which must still exist.
  /// - Returns: whether the identity is new. `nil` if the session has ended.
  /// - Throws: ``MemeError/identityLinked``; ``MemeError/suspended``.
  package func link(
    _ identity: ProviderIdentity, as id: IdentityID, of person: UserID, in session: SessionID,
    at time: Timestamp
  ) async throws -> Bool? {
    try await writer.transaction { db in
      guard try provenAccount(of: person, if: nil, in: session, db) != nil else { return nil }
      try db.lock(identity)
      if let owner = try owner(of: identity, in: db) {
        guard owner.user.id == person else { throw MemeError.identityLinked }
        return false
      }
      let hasOther = try db.exists(
        "SELECT 1 FROM identities WHERE user_id = \(userOfID) AND issuer = ?", person.bytes,
        identity.issuer)
      guard !hasOther else { throw MemeError.identityLinked }
      try insertIdentity(id, identity, of: person, at: time, in: db)
      return true
    }
  }

  /// Confirms that a user may link an identity, and uses the code of the second factor.
  ///
  /// - Parameters:
  ///   - password: the hash against which the password was verified; `nil` if none was necessary.
  ///   - session: the session of the request, which must still exist.
  /// - Returns: `false` if the session has ended, or the password hash changed.
  /// - Throws: ``MemeError/suspended``; ``MemeError/codeRequired``; ``MemeError/invalidCode``.
  package func prove(
    _ person: UserID, if password: HashedPassword?, in session: SessionID,
    using use: SecondFactorUse
  ) async throws -> Bool {
    try await writer.transaction { db in
      guard let account = try provenAccount(of: person, if: password, in: session, db) else {
        return false
      }
      try useSecondFactor(use, of: account.number, in: db)
      return true
    }
  }

  /// The user's identities, the newest first, and whether the account has a password.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func identities(
    of person: UserID
  ) async throws -> (identities: [LinkedIdentity], hasPassword: Bool) {
    let found = try await readers.read { db in
      let password: String? = try db.value("SELECT password FROM users WHERE id = ?", person.bytes)
      let all = try db.all(Self.listQuery, person.bytes) { row in try LinkedIdentity(&row) }
      return password.map { (all, HashedPassword($0).isUsable) }
    }
    guard let found else { throw MemeError.unauthorized }
    return found
  }

  /// Unlinks one of the user's identities.
  ///
  /// - Parameter issuer: the provider with which users can sign in; `nil` if they cannot.
  /// - Throws: ``MemeError/notFound`` if the user has no such identity; ``MemeError/lastWayToSignIn`` if the account
  ///   has no password, and no other identity of this provider.
  package func delete(_ id: IdentityID, of person: UserID, signingInBy issuer: String?) async throws
  {
    try await writer.transaction { db in
      try db.lock(account: person)
      let deleted = try db.run(
        "DELETE FROM identities WHERE id = ? AND user_id = \(userOfID)", id.bytes, person.bytes)
      guard deleted > 0 else { throw MemeError.notFound }
      let hasWay = try db.exists(
        """
        SELECT 1 FROM users WHERE id = ? AND (password <> ? OR EXISTS (
          SELECT 1 FROM identities WHERE user_id = users.seq AND issuer = coalesce(?, issuer)))
        """, person.bytes, HashedPassword.unusable.encoded, issuer)
      guard hasWay else { throw MemeError.lastWayToSignIn }
    }
  }

  static let listQuery = """
    SELECT id, issuer, subject, created_at, last_used_at FROM identities
    WHERE user_id = \(userOfID) ORDER BY created_at DESC, id DESC
    """
}

extension Transaction {
  /// Locks an identity that no row may stand for yet. Accounts are locked before.
  fileprivate func lock(_ identity: ProviderIdentity) throws {
    try lock(named: "identity \(identity.issuer.utf8.count) \(identity.issuer) \(identity.subject)")
  }
}

private func owner(
  of identity: ProviderIdentity, in db: borrowing Transaction
) throws -> Account? {
  try db.first(
    "SELECT user_id FROM identities WHERE issuer = ? AND subject = ?", identity.issuer,
    identity.subject
  ) { row in try row[0] as Int64 }.flatMap { try UserStore.find("WHERE seq = ?", $0, db) }
}

private func hasOtherWay(_ person: UserID, in db: borrowing Transaction) throws -> Bool {
  try db.exists(
    """
    SELECT 1 FROM users WHERE id = ? AND (
      EXISTS (SELECT 1 FROM identities WHERE user_id = users.seq)
      OR EXISTS (SELECT 1 FROM second_factors AS f WHERE f.user = users.seq AND f.enabled_at IS NOT NULL))
    """, person.bytes)
}

private func firstFree(
  of usernames: [Username], at time: Timestamp, in db: borrowing Transaction
) throws -> Username {
  for username in usernames {
    do {
      try checkIsFree(username, at: time, in: db)
      return username
    } catch MemeError.usernameTaken { continue }
  }
  throw MemeError.usernameTaken
}

private func insertIdentity(
  _ id: IdentityID, _ identity: ProviderIdentity, of person: UserID, at time: Timestamp,
  in db: borrowing Transaction
) throws {
  try db.run(
    """
    INSERT INTO identities (id, user_id, issuer, subject, created_at, last_used_at)
    VALUES (?1, (SELECT seq FROM users WHERE id = ?2), ?3, ?4, ?5, ?5)
    """, id.bytes, person.bytes, identity.issuer, identity.subject, time.millisecondsSince1970)
}

extension LinkedIdentity {
  /// Decodes the columns that ``IdentityStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    let (id, issuer) = (IdentityID(try row.nextUUID()), try row.next() as String)
    self.init(
      id: id, ProviderIdentity(issuer: issuer, subject: try row.next()),
      createdAt: try row.nextTimestamp(), lastUsedAt: try row.nextTimestamp())
  }
}
