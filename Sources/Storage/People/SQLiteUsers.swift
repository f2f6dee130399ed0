package import Memes
package import SQLite

/// People in SQLite, in the tables `users`, `user_words`, `sessions` and `retries`, and whatever is theirs when they leave. Reads run on the caller's thread, writes on the writer's.
package struct SQLiteUsers: UserStore {
  let writer: ObservedWriter
  private let readers: Readers

  /// - Parameter observers: hear of what changes memes: a name, and that somebody leaves.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
  }

  package func insert(
    _ account: Account, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer? {
    try await writer.write { db throws(MemeError) in
      let time = account.user.createdAt
      if let first = try earlierAnswer(than: answer, at: time, in: db) { return Written(first) }
      try insertAccount(account, in: db)
      if let answer { try insertAnswer(answer, in: db) }
      return Written(nil)
    }
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
    try await writer.write { db throws(MemeError) in
      if let email = change.email, let owner = try Self.owner(of: email, in: db), owner != id {
        throw .emailTaken
      }
      let changed = try db.first(
        """
        UPDATE users SET
          display_name = iif(?, ?, display_name), bio = iif(?, ?, bio), email = coalesce(?, email)
        WHERE id = ? AND password = coalesce(?, password)
        RETURNING seq
        """,
        change.displayName != nil, change.displayName?.value?.text, change.biography != nil,
        change.biography?.value?.text, change.email?.text, id.bytes, password?.encoded
      ) { row throws(SQLiteError) in try row[0] as Int64 }
      guard let person = changed else { return Written(nil) }
      if let name = change.displayName { try replaceNameWords(name.value, of: person, in: db) }
      // Their links went to the address that was theirs.
      if change.email != nil { try Self.endResets(of: id, in: db) }
      let user = try Self.find("WHERE id = ?", id.bytes, db)?.user
      // Memes show it.
      return Written(user, changes: change.displayName == nil ? [] : [.many])
    }
  }

  package func setPassword(
    _ password: HashedPassword, of id: UserID, insteadOf old: HashedPassword, at time: Timestamp,
    keeping session: SessionID
  ) async throws(MemeError) -> Bool {
    try await writer.write { db throws(MemeError) in
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
      "SELECT \(User.columns), password, \(standingColumns) FROM users \(condition)", value
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
  let person = try db.insert(
    """
    INSERT INTO users
      (id, username, email, display_name, bio, password, password_changed_at, created_at, role)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    user.id.bytes, user.username.text, user.email.text, user.displayName?.text,
    user.biography?.text, account.password.encoded,
    user.passwordChangedAt.millisecondsSince1970, user.createdAt.millisecondsSince1970,
    account.standing.role.number)
  try insertWords(of: user, person, in: db)
}

/// What other tables call the person by whose id is bound here.
let userOfID = "(SELECT seq FROM users WHERE id = ?)"

extension Account {
  /// Decodes the columns that ``SQLiteUsers`` reads.
  fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
    self.init(
      user: try User(row), password: HashedPassword(try row[9]),
      standing: try Standing(row, at: 10))
  }
}

extension User {
  static let columns = """
    users.id, username, email, display_name, bio, users.created_at, password_changed_at, avatar,
    users.role
    """

  /// Decodes ``columns``, where they are the first.
  init(_ row: borrowing Row) throws(SQLiteError) {
    let displayName: String? = try row[3]
    let biography: String? = try row[4]
    let avatar: String? = try row[7]
    do {
      self.init(
        id: UserID(try row.uuid(at: 0)), username: try Username(try row[1]),
        // What is a character may be another thing in the next version of Unicode.
        email: try EmailAddress(try row[2]),
        displayName: displayName.map(DisplayName.init(stored:)),
        biography: biography.map(Biography.init(stored:)), createdAt: try row.timestamp(at: 5),
        passwordChangedAt: try row.timestamp(at: 6),
        avatar: avatar.map(AvatarVersion.init(stored:)), role: try Role(row, at: 8))
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(.mismatch, "A person is stored with a value that nobody can have.")
    }
  }
}
