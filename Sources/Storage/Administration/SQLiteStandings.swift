package import Memes
package import SQLite

/// What people are to the server, in the table `users`. Every change is one transaction with its entry in `audit`; sessions read
/// it anew each time, so that it holds at once.
package struct SQLiteStandings: SuspensionStore, RoleStore {
  private let writer: ObservedWriter

  /// - Parameter observers: hear where somebody is suspended.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
  }

  package func suspend(
    _ username: Username, recording entry: AuditEntry
  ) async throws(MemeError) {
    try await writer.write { db throws(MemeError) in
      let person = try found(username, in: db)
      if case .person(let actor) = entry.authority.actor, actor == person.id { throw .forbidden }
      guard !person.standing.isSuspended else { return Written(()) }
      try db.run(
        "UPDATE users SET suspended_at = ? WHERE username = ?", entry.at.millisecondsSince1970,
        username.text)
      try record(entry, in: db)
      return Written((), .signedOut(person.id))
    }
  }

  package func unsuspend(
    _ username: Username, recording entry: AuditEntry
  ) async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in
      guard try found(username, in: db).standing.isSuspended else { return }
      try db.run("UPDATE users SET suspended_at = NULL WHERE username = ?", username.text)
      try record(entry, in: db)
    }
  }

  package func insert(
    _ account: Account, recording entry: AuditEntry
  ) async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in
      try insertAccount(account, in: db)
      try record(entry, in: db)
    }
  }

  package func give(
    _ role: Role, to username: Username, recording entry: AuditEntry
  ) async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in
      guard try found(username, in: db).standing.role != role else { return }
      try db.run("UPDATE users SET role = ? WHERE username = ?", role.number, username.text)
      try record(entry, in: db)
    }
  }
}

/// - Throws: ``MemeError/notFound``.
private func found(
  _ username: Username, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> (id: UserID, standing: Standing) {
  let found = try db.first(
    "SELECT id, \(standingColumns) FROM users WHERE username = ?", username.text
  ) { row throws(SQLiteError) in
    (id: UserID(try row.uuid(at: 0)), standing: try Standing(row, at: 1))
  }
  guard let found else { throw .notFound }
  return found
}

/// Everybody who has an account, for a person at the machine to read.
package struct PeopleList {
  private let readers: Readers

  package init(_ readers: Readers) { self.readers = readers }

  /// Calls `body` with each of them, in the order of their names.
  package func each(_ body: (String, String, Standing) -> Void) throws(MemeError) {
    try readers.read { db throws(MemeError) in
      _ = try db.all("SELECT username, email, \(standingColumns) FROM users ORDER BY username") {
        row throws(SQLiteError) in body(try row[0], try row[1], try Standing(row, at: 2))
      }
    }
  }
}

/// As ``Standing/init(_:at:)`` reads them.
let standingColumns = "users.role, users.suspended_at IS NOT NULL"

extension Standing {
  /// Reads ``standingColumns``.
  init(_ row: borrowing Row, at column: Int) throws(SQLiteError) {
    self.init(role: try Role(row, at: column), isSuspended: try row[column + 1])
  }
}

extension Role {
  /// As it is stored.
  var number: Int {
    switch self {
    case .member: 0
    case .admin: 1
    }
  }

  /// Reads ``number``.
  init(_ row: borrowing Row, at column: Int) throws(SQLiteError) {
    let number: Int = try row[column]
    guard let role = Self.allCases.first(where: { $0.number == number }) else {
      throw SQLiteError(.mismatch, "A role is stored that is unknown.")
    }
    self = role
  }
}
