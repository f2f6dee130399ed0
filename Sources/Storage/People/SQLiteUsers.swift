package import Memes
package import SQLite

/// People in SQLite, in the tables `users`, `sessions` and `retries`. Reads run on the caller's thread, writes on the writer's.
package struct SQLiteUsers: UserStore {
  private let writer: Writer
  private let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func insert(
    _ account: Account, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer? {
    try await writer.transaction { db throws(MemeError) in
      let time = account.user.createdAt
      if let first = try earlierAnswer(than: answer, at: time, in: db) { return first }
      try insertAccount(account, in: db)
      if let answer { try insertAnswer(answer, in: db) }
      return nil
    }
  }

  package func user(_ username: Username) async throws(MemeError) -> User? {
    try read("WHERE username = ?", username.text)?.user
  }

  package func account(_ id: UserID) async throws(MemeError) -> Account? {
    try read("WHERE id = ?", id.bytes)
  }

  package func account(_ login: Login) async throws(MemeError) -> Account? {
    switch login {
    case .username(let username): try read("WHERE username = ?", username.text)
    case .email(let email): try read("WHERE email = ?", email.text)
    }
  }

  package func change(
    _ change: ProfileChange, of id: UserID, if password: HashedPassword?
  ) async throws(MemeError) -> User? {
    try await writer.transaction { db throws(MemeError) in
      if let email = change.email, let owner = try Self.owner(of: email, in: db), owner != id {
        throw .emailTaken
      }
      let changed = try db.run(
        """
        UPDATE users SET
          display_name = iif(?, ?, display_name), bio = iif(?, ?, bio), email = coalesce(?, email)
        WHERE id = ? AND password = coalesce(?, password)
        """,
        change.displayName != nil, change.displayName?.value?.text, change.biography != nil,
        change.biography?.value?.text, change.email?.text, id.bytes, password?.encoded)
      guard changed > 0 else { return nil }
      // Their links went to the address that was theirs.
      if change.email != nil { try Self.endResets(of: id, in: db) }
      return try Self.find("WHERE id = ?", id.bytes, db)?.user
    }
  }

  package func setPassword(
    _ password: HashedPassword, of id: UserID, insteadOf old: HashedPassword, at time: Timestamp,
    keeping session: SessionID
  ) async throws(MemeError) -> Bool {
    try await writer.transaction { db throws(MemeError) in
      let changed = try db.run(
        "UPDATE users SET password = ?, password_changed_at = ? WHERE id = ? AND password = ?",
        password.encoded, time.millisecondsSince1970, id.bytes, old.encoded)
      guard changed > 0 else { return false }
      try db.run(
        "DELETE FROM sessions WHERE user = \(userOfID) AND id <> ?", id.bytes,
        session.bytes)
      try Self.endResets(of: id, in: db)
      return true
    }
  }

  package func delete(_ id: UserID, if password: HashedPassword) async throws(MemeError) -> Bool {
    try await writer.transaction { db throws(MemeError) in
      // Their sessions and links go with them.
      try db.run(
        "DELETE FROM users WHERE id = ? AND password = ?", id.bytes, password.encoded) > 0
    }
  }

  private func read(_ condition: String, _ value: any Bindable) throws(MemeError) -> Account? {
    try readers.read { db throws(MemeError) in try Self.find(condition, value, db) }
  }

  private static func endResets(
    of id: UserID, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) {
    try db.run("DELETE FROM password_resets WHERE user = \(userOfID)", id.bytes)
  }

  /// Who has an email.
  fileprivate static func owner(
    of email: EmailAddress, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> UserID? {
    try find("WHERE email = ?", email.text, db)?.user.id
  }

  static func find(
    _ condition: String, _ value: any Bindable, _ db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> Account? {
    try db.first(
      """
      SELECT id, username, email, display_name, bio, created_at, password_changed_at, password,
        avatar, \(standingColumns)
      FROM users \(condition)
      """, value
    ) { row throws(SQLiteError) in try Account(row) }
  }
}

/// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
func insertAccount(
  _ account: Account, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let user = account.user
  guard try SQLiteUsers.find("WHERE username = ?", user.username.text, db) == nil else {
    throw .usernameTaken
  }
  guard try SQLiteUsers.owner(of: user.email, in: db) == nil else { throw .emailTaken }
  try db.run(
    """
    INSERT INTO users
      (id, username, email, display_name, bio, password, password_changed_at, created_at, role)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    user.id.bytes, user.username.text, user.email.text, user.displayName?.text,
    user.biography?.text, account.password.encoded,
    user.passwordChangedAt.millisecondsSince1970, user.createdAt.millisecondsSince1970,
    account.standing.role.number)
}

/// What other tables call the person by whose id is bound here.
let userOfID = "(SELECT seq FROM users WHERE id = ?)"

extension Account {
  /// Decodes the columns that ``SQLiteUsers`` reads.
  fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
    let displayName: String? = try row[3]
    let biography: String? = try row[4]
    let avatar: String? = try row[8]
    do {
      self.init(
        user: User(
          id: UserID(try row.uuid(at: 0)), username: try Username(try row[1]),
          email: try EmailAddress(try row[2]), displayName: try displayName.map(DisplayName.init),
          biography: try biography.map(Biography.init), createdAt: try row.timestamp(at: 5),
          passwordChangedAt: try row.timestamp(at: 6),
          avatar: avatar.map(AvatarVersion.init(stored:))),
        password: HashedPassword(try row[7]), standing: try Standing(row, at: 9))
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(.mismatch, "A person is stored with a value that nobody can have.")
    }
  }
}
