import Memes
import SQL

/// The columns that ``Report/init(_:)`` decodes, from `reports` and ``reportParts``.
let reportColumns = """
  reports.id, reports.kind, reports.subject, reports.username,
  maker.id, maker.username, maker.display_name, maker.avatar,
  memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
  CASE WHEN memes.seq IS NOT NULL THEN comments.text END, reports.reason,
  reporter.id, reporter.username, reporter.display_name, reporter.avatar,
  reports.created_at, reports.status, reports.note, audit.at, audit.actor, audit.username,
  (SELECT count(*) FROM (
    SELECT 1 FROM reports AS same WHERE same.subject = reports.subject AND same.status = 0
    LIMIT \(Report.maximumCount)) AS open)
  """

/// Joins the reporter, the subject and the decision of a report. Content in the trash counts as deleted.
let reportParts = """
  LEFT JOIN audit ON audit.seq = reports.closing
  LEFT JOIN users AS reporter ON reporter.seq = reports.reporter
  LEFT JOIN comments ON reports.kind = 1 AND comments.id = reports.subject AND comments.deleted_at IS NULL
  LEFT JOIN memes ON memes.deleted_at IS NULL AND memes.seq = CASE reports.kind
    WHEN 0 THEN (SELECT seq FROM memes WHERE id = reports.subject) ELSE comments.meme END
  LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
  LEFT JOIN users AS maker ON maker.seq = CASE reports.kind
    WHEN 0 THEN memes.author WHEN 1 THEN CASE WHEN memes.seq IS NOT NULL THEN comments.user END
    ELSE (SELECT seq FROM users WHERE id = reports.subject) END
  """

extension Report {
  /// Decodes ``reportColumns``.
  init(_ row: inout Row) throws {
    self.init(
      id: ReportID(try row.nextUUID()),
      subject: Subject(
        name: try SubjectName(&row),
        author: try row.nextAuthor(),
        meme: try GridCell(&row),
        text: try row.next()),
      reason: ReportReason(stored: try row.next()),
      reporter: try row.nextAuthor(),
      createdAt: try row.nextTimestamp(), status: try Status(&row),
      note: (try row.next() as String?).map(ReportNote.init(stored:)), closing: try Closing(&row),
      openOnSubject: try row.next())
  }
}

extension FiledReport {
  /// Decodes ID and time.
  init(_ row: inout Row) throws {
    self.init(id: ReportID(try row.nextUUID()), createdAt: try row.nextTimestamp())
  }
}

extension Report.Closing {
  /// Decodes time, actor and username of an entry of `audit`. Returns `nil` if the row has no entry.
  fileprivate init?(_ row: inout Row) throws {
    guard try !row.isNextNull else {
      try row.skip(3)
      return nil
    }
    self.init(at: try row.nextTimestamp(), actor: try row.next(), username: try row.next())
  }
}

extension SubjectName {
  /// Decodes kind, ID and username. Only a person has a username.
  init(_ row: inout Row) throws {
    let kind: Int = try row.next()
    let id = try row.nextUUID()
    switch kind {
    case 0: self = .meme(MemeID(id))
    case 1: self = .comment(CommentID(id))
    default:
      self = .person(Username(stored: try row.next()))
      return
    }
    try row.skip(1)
  }

  /// The stored value.
  var kind: Int {
    switch self {
    case .meme: 0
    case .comment: 1
    case .person: 2
    }
  }

  var username: String? {
    if case .person(let username) = self { username.text } else { nil }
  }
}

extension Report.Status {
  /// The stored value.
  var number: Int {
    switch self {
    case .open: 0
    case .resolved: 1
    case .dismissed: 2
    }
  }

  /// Decodes ``number``.
  fileprivate init(_ row: inout Row) throws {
    let number: Int = try row.next()
    guard let status = Self.allCases.first(where: { $0.number == number }) else {
      throw DatabaseError(.mismatch, "Unknown report status in the database.")
    }
    self = status
  }
}

extension Row {
  /// Decodes kind, ID and username of a subject like ``SubjectName``; `nil` if the kind is `NULL`.
  mutating func nextShownSubject() throws -> SubjectName? {
    guard try !isNextNull else {
      try skip(3)
      return nil
    }
    return try SubjectName(&self)
  }
}
