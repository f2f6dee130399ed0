package import Memes
package import SQLite

/// What people report, in the table `reports`. Reads run on the caller's thread, writes on the writer's.
package struct SQLiteReports: ReportStore {
  let writer: Writer
  private let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func file(
    _ report: FiledReport, on subject: SubjectName, because reason: ReportReason,
    by viewer: Viewer, answering answer: FirstAnswer?
  ) async throws(MemeError) -> Filing {
    try await writer.transaction { db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: report.createdAt, in: db) {
        return .answered(first)
      }
      let reporter = try authorNumber(viewer.person, in: db)
      let id = try visibleSubject(subject, for: viewer, in: db)
      if let earlier = try renew(on: id, by: reporter, because: reason, in: db) {
        return .renewed(earlier)
      }
      try db.run(
        """
        INSERT INTO reports (id, kind, subject, username, reporter, reason, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, report.id.bytes, subject.kind, id, subject.username, reporter, reason.text,
        report.createdAt.millisecondsSince1970)
      if let answer { try insertAnswer(answer, in: db) }
      return .made
    }
  }

  package func reports(
    of status: Report.Status, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Report> {
    try readers.read { db throws(MemeError) in
      try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(Self.queueQuery, status.number, position?.sequence ?? .max, limit) {
          row throws(SQLiteError) in
          note(try row[0])
          return try Report(row)
        }
      }
    }
  }

  static let queueQuery = """
    \(selectReport) WHERE reports.status = ?1 AND reports.seq < ?2
    ORDER BY reports.seq DESC LIMIT ?3
    """

  package func reports(
    by person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<OwnReport> {
    try readers.read { db throws(MemeError) in
      try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(Self.ownQuery, person.bytes, position?.sequence ?? .max, limit) {
          row throws(SQLiteError) in
          note(try row[0])
          return OwnReport(
            FiledReport(id: ReportID(try row.uuid(at: 4)), createdAt: try row.timestamp(at: 5)),
            on: try SubjectName(row, at: 1), because: ReportReason(stored: try row[6]))
        }
      }
    }
  }

  static let renewStatement = """
    UPDATE reports INDEXED BY reports_open SET reason = ?
    WHERE reporter = ? AND subject = ? AND status = 0 RETURNING id, created_at
    """

  static let nobodysQuery = """
    SELECT id, created_at FROM reports INDEXED BY reports_of_nobody
    WHERE subject = ? AND status = 0 AND reporter IS NULL ORDER BY seq DESC LIMIT ?
    """

  static let ownQuery = """
    SELECT seq, kind, subject, username, id, created_at, reason
    FROM reports INDEXED BY reports_of_reporter
    WHERE reporter = \(Sight.asking) AND seq < ?2 ORDER BY seq DESC LIMIT ?3
    """
}

/// Gives the open report that a person has on a thing another reason. Of those who are not signed in, each is another; the last of
/// them stands for more where there are as many as are kept.
///
/// - Returns: `nil` where one is to be made.
private func renew(
  on subject: [UInt8], by reporter: Int64?, because reason: ReportReason,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> FiledReport? {
  func filed(_ row: borrowing Row) throws(SQLiteError) -> FiledReport {
    FiledReport(id: ReportID(try row.uuid(at: 0)), createdAt: try row.timestamp(at: 1))
  }
  if let reporter {
    return try db.first(
      SQLiteReports.renewStatement, reason.text, reporter, subject, decode: filed)
  }
  let nobodys = try db.all(
    SQLiteReports.nobodysQuery, subject, Report.maximumOfNobody, decode: filed)
  return nobodys.count < Report.maximumOfNobody ? nil : nobodys.first
}

/// The id of something that this viewer sees.
///
/// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is none for them; ``MemeError/invalid(field:_:)`` for oneself.
private func visibleSubject(
  _ subject: SubjectName, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> [UInt8] {
  let sight = Sight(viewer)
  switch subject {
  case .meme(let id):
    let found = try db.first(
      "SELECT 1 FROM memes WHERE id = ?2 AND deleted_at IS NULL AND \(sight.sees())",
      sight.person, id.bytes
    ) { _ in true }
    if found == nil { throw try absence(of: id, for: viewer, in: db) }
    return id.bytes
  case .comment(let id):
    let isDeleted = try db.first(
      """
      SELECT comments.deleted_at IS NOT NULL OR memes.deleted_at IS NOT NULL
      FROM comments JOIN memes ON memes.seq = comments.meme
      WHERE comments.id = ?2 AND \(sight.sees()) AND \(sight.sees(person: "comments.user"))
      """, sight.person, id.bytes
    ) { row throws(SQLiteError) in try row[0] as Bool }
    guard let isDeleted else { throw .notFound }
    if isDeleted { throw .gone }
    return id.bytes
  case .person(let username):
    let found = try db.first(
      """
      SELECT id FROM users WHERE username = ?2 AND \(sight.sees(person: "users.seq"))
      """, sight.person, username.text
    ) { row throws(SQLiteError) in UserID(try row.uuid(at: 0)) }
    guard let found else { throw .notFound }
    if found == viewer.person { throw .invalid(field: "username", .oneself) }
    return found.bytes
  }
}
