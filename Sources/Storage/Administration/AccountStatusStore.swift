package import Memes
package import SQL

/// Stores suspensions and roles in the table `users`, and for an operator creates accounts and turns off second
/// factors.
///
/// Each call is one transaction with its entry in `audit`, and writes the entry only if something changes. Changes are
/// durable on return. Each request reads the account status with its session, so a change applies to all further
/// requests. All methods run on the writer thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; also ``MemeError/forbidden`` if the actor of the entry is no longer an admin.
package struct AccountStatusStore: Sendable {
  private let writer: ObservedWriter

  /// - Parameter observers: notified when a user is suspended.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
  }

  /// Suspends an account. Has no effect if the account is already suspended.
  ///
  /// The content of a suspended user stays, but their invitations end. The user can still browse as an anonymous
  /// visitor, and delete the account.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor is the user.
  package func suspend(
    _ username: Username, because reason: SuspensionReason?, by authority: Authority,
    at time: Timestamp
  ) async throws {
    let entry = AuditEntry(
      at: time, authority, .suspend, username.text, AuditDetails(reason: reason))
    try await writer.write { db in
      let person = try locked(username, by: authority, in: db)
      try entry.refuse(person.id)
      guard !person.accountStatus.isSuspended else { return Written(()) }
      try db.run(
        "UPDATE users SET suspended_at = ? WHERE username = ?", entry.at.millisecondsSince1970,
        username.text)
      try endInvitations(of: person.id, in: db)
      try record(entry, in: db)
      return Written((), .signedOut(person.id))
    }
  }

  /// Lifts a suspension. Has no effect if the account is not suspended.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func unsuspend(
    _ username: Username, by authority: Authority, at time: Timestamp
  ) async throws {
    let entry = AuditEntry(at: time, authority, .unsuspend, username.text)
    try await writer.transaction { db in
      try db.lock(account: username)
      guard try found(username, in: db).accountStatus.isSuspended else { return }
      try db.run("UPDATE users SET suspended_at = NULL WHERE username = ?", username.text)
      try record(entry, in: db)
    }
  }

  /// Turns off the second factor of a user who has lost it. Has no effect if the user has none.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func turnOffSecondFactor(
    of username: Username, by authority: Authority, at time: Timestamp
  ) async throws {
    let entry = AuditEntry(at: time, authority, .turnOffSecondFactor, username.text)
    try await writer.transaction { db in
      try db.lock(account: username)
      let person: Int64? = try db.value("SELECT seq FROM users WHERE username = ?", username.text)
      guard let person else { throw MemeError.notFound }
      if try removeSecondFactor(of: person, in: db) { try record(entry, in: db) }
    }
  }

  /// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``.
  package func insert(
    _ account: Account, recording entry: AuditEntry
  ) async throws {
    try await writer.transaction { db in
      try insertAccount(account, in: db)
      try record(entry, in: db)
    }
  }

  /// Changes the role and the quota of a user. The invitations of a former admin end, because they may grant more than
  /// a member may.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor would change their own role.
  package func change(
    _ change: AccountChange, of username: Username, by authority: Authority, at time: Timestamp
  ) async throws {
    try await writer.transaction { db in
      let person = try locked(username, by: authority, in: db)
      if let role = change.role {
        let entry = AuditEntry(
          at: time, authority, .changeRole, username.text, AuditDetails(role: role))
        try entry.refuse(person.id)
        try give(role, to: person, recording: entry, in: db)
      }
      if let quota = change.quotaBytes {
        let entry = AuditEntry(
          at: time, authority, .changeQuota, username.text, AuditDetails(quotaBytes: quota.value))
        let changed = try db.run(
          "UPDATE users SET quota_bytes = ?1 WHERE id = ?2 AND quota_bytes IS DISTINCT FROM ?1",
          quota.value, person.id.bytes)
        if changed > 0 { try record(entry, in: db) }
      }
    }
  }

  private func give(
    _ role: Role, to person: (id: UserID, accountStatus: AccountStatus),
    recording entry: AuditEntry, in db: borrowing Transaction
  ) throws {
    guard person.accountStatus.role != role else { return }
    try db.run("UPDATE users SET role = ? WHERE id = ?", role.number, person.id.bytes)
    switch role {
    case .member: try endInvitations(of: person.id, in: db)
    case .admin: try endSetupLinks(in: db)
    }
    try record(entry, in: db)
  }
}

/// Locks an account, and that of the admin who acts on it. If two admins demote or suspend each other at the same
/// moment, the second one is no longer an admin by then.
///
/// - Throws: ``MemeError/notFound`` if no account has this username.
private func locked(
  _ username: Username, by authority: Authority, in db: borrowing Transaction
) throws -> (id: UserID, accountStatus: AccountStatus) {
  if let actor = authority.person {
    try db.lock(accounts: actor, username)
  } else {
    try db.lock(account: username)
  }
  return try found(username, in: db)
}

/// - Throws: ``MemeError/notFound`` if no account has this username.
private func found(
  _ username: Username, in db: borrowing Transaction
) throws -> (id: UserID, accountStatus: AccountStatus) {
  let found = try db.first(
    "SELECT id, \(accountStatusColumns) FROM users WHERE username = ?", username.text
  ) { row in
    (id: UserID(try row.nextUUID()), accountStatus: try AccountStatus(&row))
  }
  guard let found else { throw MemeError.notFound }
  return found
}

/// All accounts, for an operator on the command line.
package struct PeopleList {
  private let readers: any Readers

  package init(_ readers: any Readers) { self.readers = readers }

  /// Calls `body` for each account, in the order of usernames.
  package func each(_ body: (String, String, AccountStatus) -> Void) throws {
    try readers.blockingRead { db in
      _ = try db.all("SELECT username, email, \(accountStatusColumns) FROM users ORDER BY username")
      {
        row in body(try row.next(), try row.next(), try AccountStatus(&row))
      }
    }
  }
}

/// The columns that ``AccountStatus/init(_:)`` decodes.
let accountStatusColumns = "users.role, users.suspended_at IS NOT NULL"

extension AccountStatus {
  /// Decodes ``accountStatusColumns``.
  init(_ row: inout Row) throws {
    self.init(role: try Role(&row), isSuspended: try row.next())
  }
}

extension Role {
  /// The stored value.
  var number: Int {
    switch self {
    case .member: 0
    case .admin: 1
    }
  }

  /// Decodes ``number``.
  init(_ row: inout Row) throws {
    let number: Int = try row.next()
    guard let role = Self.allCases.first(where: { $0.number == number }) else {
      throw DatabaseError(.mismatch, "Unknown role in the database.")
    }
    self = role
  }
}
