package import Memes
package import SQL

/// Reads the audit log, in the table `audit`. Entries are never purged. Other stores write them, in the transactions of
/// the recorded actions.
///
/// Each call is one transaction on the caller's thread. Every method may throw ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct AuditLog: Sendable {
  private let readers: any Readers

  package init(_ readers: any Readers) { self.readers = readers }

  /// A page of entries, newest first.
  package func entries(
    after position: ListPosition?, limit: Int
  ) async throws -> Page<AuditRecord> {
    let limit = max(0, limit)
    // One more than requested, to detect whether there is a next page.
    let rows = try await readers.read { db in
      try db.all(
        """
        SELECT seq, at, actor, username, act, subject, details, request
        FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?
        """, position?.sequence ?? .max, limit + 1
      ) { row in
        (
          sequence: try row.next() as Int64,
          record: AuditRecord(
            at: try row.nextTimestamp(), actor: try row.next(), username: try row.next(),
            act: try row.next(), subject: try row.next(), details: try row.next(),
            request: try row.next())
        )
      }
    }
    let page = rows.prefix(limit)
    return Page(
      items: page.map(\.record),
      next: rows.count > limit ? page.last.map { ListPosition(sequence: $0.sequence) } : nil)
  }
}

/// Writes an entry to the audit log. Does nothing if `entry` is `nil`, because the caller did not act as an admin.
///
/// - Throws: ``MemeError/forbidden`` if the actor is no longer an admin.
func record(
  _ entry: AuditEntry?, in db: borrowing Transaction
) throws {
  if let entry { _ = try insertEntry(entry, in: db) }
}

/// Writes an entry to the audit log.
///
/// - Returns: the number of the entry, for ``recount(_:_:in:)``.
/// - Throws: ``MemeError/forbidden`` if the actor is no longer an admin.
func insertEntry(
  _ entry: AuditEntry, in db: borrowing Transaction
) throws -> Int64 {
  let (actor, username): (String, String?) =
    switch entry.authority.actor {
    case .token: ("token", nil)
    case .person(let id): ("person", try name(ofAdmin: id, in: db))
    case .command: ("command", nil)
    }
  return try db.insert(
    """
    INSERT INTO audit (at, actor, username, act, subject, request, details)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    RETURNING seq
    """,
    entry.at.millisecondsSince1970, actor, username, entry.act.rawValue, entry.subject,
    entry.authority.request, try StoredDetails(entry.details).json())
}

/// - Throws: ``MemeError/forbidden`` if the person is no admin.
func name(
  ofAdmin person: UserID, in db: borrowing Transaction
) throws -> String {
  let found: String? = try db.value(
    "SELECT username FROM users WHERE id = ? AND role = ? AND suspended_at IS NULL", person.bytes,
    Role.admin.number)
  guard let found else { throw MemeError.forbidden }
  return found
}

/// Records in the audit log how many items have been deleted so far.
///
/// - Returns: the number of the entry.
func keep(
  _ entry: AuditEntry, of run: BulkRun?, counting count: Int,
  in db: borrowing Transaction
) throws -> Int64 {
  if let run {
    try recount(run.entry, count, in: db)
    return run.entry
  }
  var entry = entry
  entry.details.count = count
  return try insertEntry(entry, in: db)
}

/// Updates the number of items in the entry of an action that is still in progress.
func recount(
  _ entry: Int64, _ count: Int, in db: borrowing Transaction
) throws {
  let found: String? = try db.value("SELECT details FROM audit WHERE seq = ?", entry)
  guard let found else { return }
  var details = try StoredDetails(json: found)
  details.count = count
  try db.run("UPDATE audit SET details = ? WHERE seq = ?", try details.json(), entry)
}
