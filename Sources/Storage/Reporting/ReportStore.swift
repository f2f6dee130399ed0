package import Memes
package import SQL

/// Stores reports and the decisions on them in the table `reports`, the responses of idempotent requests in `retries`,
/// and an entry for each decision in `audit`.
///
/// Each call is one transaction. Changes are durable on return. Reads run on the caller's thread, writes on the writer
/// thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct ReportStore: Sendable {
  let writer: any Writer
  private let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// Stores a report, or replaces the reason of the viewer's open report on the subject. The same transaction checks
  /// whether the viewer may see the subject.
  ///
  /// - Parameter record: stored together with a new report.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the subject;
  ///   ``MemeError/invalid(field:_:)`` (`username`) if the viewer reports themselves; ``MemeError/unauthorized``
  ///   if the account was deleted.
  package func file(
    _ report: FiledReport, on subject: SubjectName, because reason: ReportReason,
    by viewer: Principal, recording record: IdempotencyRecord?
  ) async throws -> ReportInsertion {
    try await writer.transaction { db in
      try db.lock(account: viewer.person)
      if let first = try earlierRecord(than: record, at: report.createdAt, in: db) {
        return .answered(first)
      }
      let reporter = try authorNumber(viewer.person, in: db)
      let id = try visibleSubject(subject, for: viewer, in: db)
      if reporter == nil { try db.lock(anonymousReportsOn: id) }
      if let earlier = try renew(on: id, by: reporter, because: reason, in: db) {
        return .renewed(earlier)
      }
      try db.run(
        """
        INSERT INTO reports (id, kind, subject, username, reporter, reason, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, report.id.bytes, subject.kind, id, subject.username, reporter, reason.text,
        report.createdAt.millisecondsSince1970)
      if let record { try insertRecord(record, in: db) }
      return .made
    }
  }

  /// A page of the reports with this status, newest first.
  package func reports(
    of status: Report.Status, after position: ListPosition?, limit: Int
  ) async throws -> Page<Report> {
    try await readers.read { db in
      try Page(limit: limit) { limit, note in
        try db.all(Self.queueQuery, status.number, position?.sequence ?? .max, limit) {
          row in
          note(try row.next())
          return try Report(&row)
        }
      }
    }
  }

  /// The report; `nil` if it does not exist.
  package func report(_ id: ReportID) async throws -> Report? {
    try await readers.read { db in
      try db.first(Self.oneQuery, id.bytes) { row in try Report(&row) }
    }
  }

  static let oneQuery = """
    SELECT \(reportColumns) FROM reports \(reportParts) WHERE reports.id = ?
    """

  static let queueQuery = """
    SELECT reports.seq, \(reportColumns) FROM reports \(reportParts)
    WHERE reports.status = ?1 AND reports.seq < ?2
    ORDER BY reports.seq DESC LIMIT ?3
    """

  /// A page of the reports by a user, newest first.
  package func reports(
    by person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<OwnReport> {
    try await readers.read { db in
      try Page(limit: limit) { limit, note in
        try db.all(Self.ownQuery, person.bytes, position?.sequence ?? .max, limit) {
          row in
          note(try row.next())
          return OwnReport(
            try FiledReport(&row), on: try row.nextShownSubject(),
            because: ReportReason(stored: try row.next()))
        }
      }
    }
  }

  /// A reporter can have several open reports on a subject if an admin has reopened one. Only the newest one changes.
  /// On PostgreSQL, another transaction may close it until its row is locked, so its status is checked again then.
  static let renewStatement = """
    UPDATE reports SET reason = ?1
    WHERE seq = (
      SELECT seq FROM reports INDEXED BY reports_open
      WHERE reporter = ?2 AND subject = ?3 AND status = 0 ORDER BY seq DESC LIMIT 1)
      AND status = 0
    RETURNING id, created_at
    """

  static let nobodysQuery = """
    SELECT id, created_at FROM reports INDEXED BY reports_of_nobody
    WHERE subject = ? AND status = 0 AND reporter IS NULL ORDER BY seq DESC LIMIT ?
    """

  /// The subject is `NULL` if it is a person whom the reporter may not see: the row has the current username.
  static let ownQuery = """
    SELECT seq, id, created_at, CASE WHEN kind <> 2 OR EXISTS (
        SELECT 1 FROM users AS reported
        WHERE reported.id = reports.subject AND NOT \(AccessPolicy.isBlockedEitherWay("reported.seq"))
      ) THEN kind END, subject, username, reason
    FROM reports INDEXED BY reports_of_reporter
    WHERE reporter = \(AccessPolicy.asking) AND seq < ?2 ORDER BY seq DESC LIMIT ?3
    """
}

/// Replaces the reason of the reporter's open report on a subject. Each anonymous report is a separate one. If the
/// maximum number of anonymous reports is reached, the newest one stands for all further ones.
///
/// - Returns: `nil` if a new report must be made.
private func renew(
  on subject: [UInt8], by reporter: Int64?, because reason: ReportReason,
  in db: borrowing Transaction
) throws -> FiledReport? {
  if let reporter {
    return try db.first(ReportStore.renewStatement, reason.text, reporter, subject) { row in
      try FiledReport(&row)
    }
  }
  let nobodys = try db.all(ReportStore.nobodysQuery, subject, Report.maximumAnonymous) { row in
    try FiledReport(&row)
  }
  return nobodys.count < Report.maximumAnonymous ? nil : nobodys.first
}

/// The ID of a subject that the viewer may see.
///
/// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer sees no such subject;
///   ``MemeError/invalid(field:_:)`` if the subject is the viewer.
private func visibleSubject(
  _ subject: SubjectName, for viewer: Principal, in db: borrowing Transaction
) throws -> [UInt8] {
  let policy = AccessPolicy(viewer)
  switch subject {
  case .meme(let id):
    let found = try db.first(
      "SELECT 1 FROM memes WHERE id = ?2 AND deleted_at IS NULL AND \(policy.sees())",
      policy.person, id.bytes
    ) { _ in true }
    if found == nil { throw try absence(of: id, for: viewer, in: db) }
    return id.bytes
  case .comment(let id):
    let isDeleted: Bool? = try db.value(
      """
      SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL
      FROM comments JOIN memes ON memes.seq = comments.meme
      WHERE comments.id = ?2 AND \(policy.sees()) AND \(policy.seesComment)
      """, policy.person, id.bytes)
    guard let isDeleted else { throw MemeError.notFound }
    if isDeleted { throw MemeError.gone }
    return id.bytes
  case .person(let username):
    let found = try db.first(
      """
      SELECT id FROM users WHERE username = ?2 AND \(policy.sees(person: "users.seq"))
      """, policy.person, username.text
    ) { row in UserID(try row.nextUUID()) }
    guard let found else { throw MemeError.notFound }
    if found == viewer.person { throw MemeError.invalid(field: "username", .oneself) }
    return found.bytes
  }
}
