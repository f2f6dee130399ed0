package import Memes
package import SQL

/// Invitations, in the table `invitations`. Each call is one transaction. Codes are stored as their digests.
///
/// Reads run on the calling thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct InvitationStore: Sendable {
  private let writer: any Writer
  private let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// Stores an invitation. On return, it is durable.
  ///
  /// - Parameters:
  ///   - code: the digest of the code.
  ///   - most: the maximum number of valid invitations of the viewer.
  ///   - entry: stored together with the invitation; `nil` if the viewer is not an admin.
  /// - Returns: the name of the inviter; `nil` if the viewer used the admin token.
  /// - Throws: ``MemeError/tooManyInvitations``; ``MemeError/unauthorized`` if the account was deleted;
  ///   ``MemeError/suspended``; ``MemeError/forbidden`` if the viewer is no longer an admin.
  package func insert(
    _ invitation: Invitation, code: Digest, by viewer: Principal, most: Int,
    recording entry: AuditEntry?
  ) async throws -> Username? {
    try await writer.transaction { db in
      let inviter = try lockedInviter(viewer, in: db)
      guard try count(of: inviter?.number, at: invitation.createdAt, in: db) < most else {
        throw MemeError.tooManyInvitations
      }
      let terms = invitation.terms
      try db.run(
        """
        INSERT INTO invitations (id, code, inviter, email, role, uses, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        invitation.id.bytes, code.bytes, inviter?.number, terms.email?.text, terms.role.number,
        terms.uses, invitation.createdAt.millisecondsSince1970,
        terms.expiresAt.millisecondsSince1970)
      try record(entry, in: db)
      return inviter?.name
    }
  }

  /// Stores a setup link, an invitation for the first admin, which is valid only while no admin exists. If one exists,
  /// deletes earlier setup links instead.
  ///
  /// - Returns: whether the link was stored.
  package func insertSetup(
    _ id: InvitationID, code: Digest, at time: Timestamp, until end: Timestamp
  ) async throws -> Bool {
    try await writer.transaction { db in
      let inserted = try db.run(
        """
        INSERT INTO invitations (id, code, role, uses, created_at, expires_at, is_setup)
        SELECT ?, ?, ?, 1, ?, ?, TRUE WHERE NOT \(Self.adminExists)
        """,
        id.bytes, code.bytes, Role.admin.number, time.millisecondsSince1970,
        end.millisecondsSince1970)
      if inserted == 0 { try db.run("DELETE FROM invitations WHERE is_setup") }
      return inserted > 0
    }
  }

  fileprivate static let adminExists =
    "EXISTS (SELECT 1 FROM users WHERE role = \(Role.admin.number))"

  /// A page of the valid invitations, newest first: those of the viewer, or all for an admin. Setup links are only
  /// in the log.
  package func invitations(
    for viewer: Principal, at time: Timestamp, after position: ListPosition?, limit: Int
  ) async throws -> Page<Invitation> {
    let (start, now) = (position?.sequence ?? .max, time.millisecondsSince1970)
    return try await readers.read { db in
      try Page(limit: limit) { limit, note in
        func decode(_ row: inout Row) throws -> Invitation {
          note(try row.next())
          return try Invitation(&row)
        }
        return viewer.isAdmin
          ? try db.all(Self.listQuery, start, now, limit, decode: decode)
          : try db.all(Self.ownQuery, start, now, limit, viewer.person?.bytes, decode: decode)
      }
    }
  }

  /// Deletes an invitation of the viewer, or of any inviter for an admin. On return, its code is invalid.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the viewer is no longer an admin.
  package func delete(
    _ id: InvitationID, by viewer: Principal, recording entry: AuditEntry?
  ) async throws {
    try await writer.transaction { db in
      let deletion = "DELETE FROM invitations WHERE id = ?"
      let deleted =
        viewer.isAdmin
        ? try db.run(deletion, id.bytes)
        : try db.run("\(deletion) AND inviter = \(userOfID)", id.bytes, viewer.person?.bytes)
      guard deleted > 0 else { throw MemeError.notFound }
      try record(entry, in: db)
    }
  }

  /// Deletes one batch of expired invitations.
  ///
  /// - Returns: the number of deleted invitations; 0 if nothing is left to delete.
  package func purgeInvitations(at time: Timestamp, _ batch: PurgeBatch) async throws -> Int {
    try await writer.transaction { db in
      try db.run(
        """
        DELETE FROM invitations WHERE seq IN (
          SELECT seq FROM invitations WHERE expires_at <= ? LIMIT ?)
        """, time.millisecondsSince1970, batch.count)
    }
  }

  static let listQuery = "\(select) \(order)"

  static let ownQuery = "\(select) AND i.inviter = (SELECT seq FROM users WHERE id = ?4) \(order)"

  private static let select = """
    SELECT i.seq, i.id, inviters.username, i.created_at, i.email, i.role, i.uses, i.expires_at
    FROM invitations AS i LEFT JOIN users AS inviters ON inviters.seq = i.inviter
    WHERE i.seq < ?1 AND i.expires_at > ?2 AND NOT i.is_setup
    """

  private static let order = "ORDER BY i.seq DESC LIMIT ?3"
}

/// Locks the account of the viewer, so that no other transaction adds an invitation to the count or suspends it.
///
/// - Returns: `nil` if the viewer uses the admin token.
/// - Throws: ``MemeError/unauthorized`` if the account was deleted; ``MemeError/suspended``.
private func lockedInviter(
  _ viewer: Principal, in db: borrowing Transaction
) throws -> (number: Int64, name: Username)? {
  guard let person = viewer.person else {
    try db.lock(named: "invitations")
    return nil
  }
  try db.lock(account: person)
  let found = try db.first(
    "SELECT seq, username, \(accountStatusColumns) FROM users WHERE id = ?", person.bytes
  ) { row in
    (
      number: try row.next() as Int64, name: Username(stored: try row.next()),
      try AccountStatus(&row)
    )
  }
  guard let (number, name, status) = found else { throw MemeError.unauthorized }
  guard !status.isSuspended else { throw MemeError.suspended }
  return (number, name)
}

/// The number of the inviter's valid invitations.
///
/// - Parameter inviter: `nil` for those of the admin token.
private func count(
  of inviter: Int64?, at time: Timestamp, in db: borrowing Transaction
) throws -> Int {
  let (query, now) = ("SELECT count(*) FROM invitations WHERE expires_at > ?", time)
  let count: Int? =
    if let inviter {
      try db.value("\(query) AND inviter = ?", now.millisecondsSince1970, inviter)
    } else {
      try db.value("\(query) AND inviter IS NULL AND NOT is_setup", now.millisecondsSince1970)
    }
  return count ?? 0
}

/// Uses an invitation once. The transaction must have locked its inviter.
///
/// - Parameter isSetup: whether the invitation must be a setup link.
/// - Returns: the role of the new account.
/// - Throws: ``MemeError/invalidInvitation``.
func useInvitation(
  _ code: Digest, for email: EmailAddress, mustBeSetup isSetup: Bool, at time: Timestamp,
  in db: borrowing Transaction
) throws -> Role {
  let used = try db.first(
    """
    UPDATE invitations SET uses = uses - 1
    WHERE code = ? AND uses > 0 AND expires_at > ? AND (email IS NULL OR \(db.dialect.isEmail("?")))
      AND (is_setup OR NOT ?) AND (NOT is_setup OR NOT \(InvitationStore.adminExists))
    RETURNING seq, uses, role, is_setup
    """, code.bytes, time.millisecondsSince1970, email.text, isSetup
  ) { row in
    (
      number: try row.next() as Int64, left: try row.next() as Int, role: try Role(&row),
      isSetup: try row.next() as Bool
    )
  }
  guard let used else { throw MemeError.invalidInvitation }
  if used.isSetup {
    // Another server may have logged another one. If both are used at the same moment, one transaction finds no row.
    try endSetupLinks(in: db)
  } else if used.left == 0 {
    try db.run("DELETE FROM invitations WHERE seq = ?", used.number)
  }
  return used.role
}

/// Deletes the setup links, because an account becomes an admin. They would be valid again if it lost the role.
func endSetupLinks(in db: borrowing Transaction) throws {
  try db.run("DELETE FROM invitations WHERE is_setup")
}

/// Deletes the invitations of an account, which must be locked.
func endInvitations(of person: UserID, in db: borrowing Transaction) throws {
  try db.run("DELETE FROM invitations WHERE inviter = \(userOfID)", person.bytes)
}

extension Invitation {
  /// Decodes the columns that ``InvitationStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    do {
      self.init(
        id: InvitationID(try row.nextUUID()),
        inviter: (try row.next() as String?).map(Username.init(stored:)),
        createdAt: try row.nextTimestamp(),
        terms: Terms(
          email: try (try row.next() as String?).map(EmailAddress.init), role: try Role(&row),
          uses: try row.next(), expiresAt: try row.nextTimestamp()))
    } catch is InvalidValue {
      throw DatabaseError(.mismatch, "Invalid invitation in the database.")
    }
  }
}
