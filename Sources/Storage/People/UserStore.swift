package import Memes
package import SQL

/// Accounts, in the tables `users` and `user_words`, and the deletion of all data that belongs to an account or to a
/// purged meme. Each call is one transaction.
///
/// Methods with a password hash change nothing if the account has another hash by then. Reads run on the calling
/// thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct UserStore: Sendable {
  let writer: ObservedWriter
  let readers: any Readers

  /// - Parameter observers: notified of changes that affect memes: a new display name, or the deletion of an account.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
  }

  /// Stores the account, and uses its invitation. On return, this is durable.
  ///
  /// - Parameters:
  ///   - code: the digest of the invitation's code, which decides the role; `nil` without an invitation.
  ///   - isSetup: whether the invitation must be a setup link.
  ///   - record: stored together with the account.
  /// - Throws: ``MemeError/invalidInvitation``, ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
  package func insert(
    _ account: Account, invitation code: Digest? = nil, mustBeSetup isSetup: Bool = false,
    recording record: IdempotencyRecord?
  ) async throws -> AccountInsertion {
    try await writer.write { db in
      let time = account.user.createdAt
      if let code { try db.lock(inviterOf: code) }
      if let first = try earlierRecord(than: record, at: time, in: db) {
        return Written(.repeated(first))
      }
      var account = account
      if let code {
        account = account.with(
          role: try useInvitation(
            code, for: account.user.email, mustBeSetup: isSetup, at: time, in: db))
      }
      try insertAccount(account, in: db)
      if let record { try insertRecord(record, in: db) }
      return Written(.inserted(account.user))
    }
  }

  /// The account with this ID, if there is one.
  package func account(_ id: UserID) async throws -> Account? {
    try await readers.read { db in try Self.find("WHERE id = ?", id.bytes, db) }
  }

  /// The account with this username or email, if there is one.
  package func account(_ login: Login) async throws -> Account? {
    try await readers.read { db in
      switch login {
      case .username(let username): try Self.find("WHERE username = ?", username.text, db)
      case .email(let email):
        try Self.find("WHERE \(db.dialect.isEmail("?"))", email.text, db)
      }
    }
  }

  /// Changes the profile. A new email ends the resets that were sent to the old one. On return, this is durable.
  ///
  /// - Parameter password: `nil` if the change requires no password.
  /// - Returns: the changed user; `nil` if there is no account with this password.
  /// - Throws: ``MemeError/emailTaken``, ``MemeError/usernameTaken``, ``MemeError/renamedRecently``.
  package func change(
    _ change: ProfileChange, of id: UserID, if password: HashedPassword?, at time: Timestamp
  ) async throws -> User? {
    try await writer.write { db in
      if let email = change.email, let owner = try Self.owner(of: email, in: db), owner != id {
        throw MemeError.emailTaken
      }
      let changed: Int64? = try db.value(
        """
        UPDATE users SET
          display_name = CASE WHEN ? THEN ? ELSE display_name END, bio = CASE WHEN ? THEN ? ELSE bio END,
          email = coalesce(?, email),
          email_confirmed_at = CASE WHEN ? THEN NULL ELSE email_confirmed_at END,
          unconfirmed_until = CASE WHEN ? THEN NULL ELSE unconfirmed_until END
        WHERE id = ? AND password = coalesce(?, password)
        RETURNING seq
        """,
        change.displayName != nil, change.displayName?.value?.text, change.biography != nil,
        change.biography?.value?.text, change.email?.text, change.email != nil,
        change.email != nil, id.bytes, password?.encoded)
      guard let person = changed else { return Written(nil) }
      if let name = change.displayName { try replaceNameWords(name.value, of: person, in: db) }
      let isRenamed = try change.username.map { name in
        try rename(person, to: name, at: time, in: db)
      }
      // Reset links were sent to the old address.
      if change.email != nil { try Self.endResets(of: id, in: db) }
      let user = try Self.find("WHERE id = ?", id.bytes, db)?.user
      // Memes show the names of their author.
      if isRenamed == true { return Written(user, .many, of: id) }
      return Written(user, changes: change.displayName == nil ? [] : [.many])
    }
  }

  /// Changes the password, and ends all other sessions and all resets. On return, this is durable.
  ///
  /// - Parameter session: the session that stays.
  /// - Returns: `false` if there is no account with the old password.
  package func setPassword(
    _ password: HashedPassword, of id: UserID, insteadOf old: HashedPassword, at time: Timestamp,
    keeping session: SessionID
  ) async throws -> Bool {
    try await writer.write { db in
      let changed = try db.run(
        "UPDATE users SET password = ?, password_changed_at = ? WHERE id = ? AND password = ?",
        password.encoded, time.millisecondsSince1970, id.bytes, old.encoded)
      guard changed > 0 else { return Written(false) }
      try db.run(
        "DELETE FROM sessions WHERE user = \(userOfID) AND id <> ?", id.bytes,
        session.bytes)
      try Self.endResets(of: id, in: db)
      return Written(true, .signedOut(id))
    }
  }

  private static func endResets(
    of id: UserID, in db: borrowing Transaction
  ) throws {
    try db.run("DELETE FROM password_resets WHERE user = \(userOfID)", id.bytes)
  }

  /// The person with this email address.
  fileprivate static func owner(
    of email: EmailAddress, in db: borrowing Transaction
  ) throws -> UserID? {
    try find("WHERE \(db.dialect.isEmail("?"))", email.text, db)?.user.id
  }

  static func find(
    _ condition: String, _ value: any Bindable, _ db: borrowing Transaction
  ) throws -> Account? {
    try db.first(
      "SELECT \(User.columns), password, \(accountStatusColumns) FROM users \(condition)", value
    ) { row in try Account(&row) }
  }
}

/// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
func insertAccount(
  _ account: Account, in db: borrowing Transaction
) throws {
  let user = account.user
  try checkIsFree(user.username, at: user.createdAt, in: db)
  guard try UserStore.owner(of: user.email, in: db) == nil else { throw MemeError.emailTaken }
  let person = try db.insert(
    """
    INSERT INTO users
      (id, username, email, display_name, bio, password, password_changed_at, created_at,
       email_confirmed_at, role)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING seq
    """,
    user.id.bytes, user.username.text, user.email.text, user.displayName?.text,
    user.biography?.text, account.password.encoded,
    user.passwordChangedAt.millisecondsSince1970, user.createdAt.millisecondsSince1970,
    user.emailConfirmedAt?.millisecondsSince1970, account.accountStatus.role.number)
  try insertWords(of: user, person, in: db)
  if account.accountStatus.role == .admin { try endSetupLinks(in: db) }
}

/// The `users.seq` of the person whose ID is bound here, as other tables refer to it.
let userOfID = "(SELECT seq FROM users WHERE id = ?)"

extension Account {
  fileprivate func with(role: Role) -> Account {
    var user = user
    user.role = role
    return Account(
      user: user, password: password, accountStatus: AccountStatus(role: role, isSuspended: false))
  }

  /// Decodes the columns that ``UserStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    self.init(
      user: try User(&row), password: HashedPassword(try row.next()),
      accountStatus: try AccountStatus(&row))
  }
}

extension User {
  static let columns = """
    users.id, username, email, display_name, bio, users.created_at, password_changed_at,
    users.renamed_at, users.email_confirmed_at, avatar, users.role
    """

  /// Decodes ``columns``.
  init(_ row: inout Row) throws {
    do {
      self.init(
        id: UserID(try row.nextUUID()), username: try Username(try row.next()),
        email: try EmailAddress(try row.next()),
        // Not validated again: the limits are in characters, and another Unicode version may count them differently.
        displayName: (try row.next() as String?).map(DisplayName.init(stored:)),
        biography: (try row.next() as String?).map(Biography.init(stored:)),
        createdAt: try row.nextTimestamp(), passwordChangedAt: try row.nextTimestamp(),
        usernameChangedAt: try row.nextOptionalTimestamp(),
        emailConfirmedAt: try row.nextOptionalTimestamp(),
        avatar: (try row.next() as String?).map(AvatarVersion.init(stored:)), role: try Role(&row))
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw DatabaseError(.mismatch, "Invalid user in the database.")
    }
  }
}
