import Memes
import SQLite

/// The columns that ``Report/init(_:)`` decodes. The first one is `seq`. Content in the trash counts as deleted.
let selectReport = """
  SELECT reports.seq, reports.kind, reports.subject, reports.username, reports.id, reports.reason,
    reports.created_at, reports.status, reports.note, audit.at, audit.actor, audit.username,
    (SELECT count(*) FROM (
      SELECT 1 FROM reports AS same WHERE same.subject = reports.subject AND same.status = 0
      LIMIT \(Report.maximumCount))),
    reporter.id, reporter.username, reporter.display_name, reporter.avatar,
    maker.id, maker.username, maker.display_name, maker.avatar,
    memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
    iif(memes.seq IS NULL, NULL, comments.text)
  FROM reports
  LEFT JOIN audit ON audit.seq = reports.closing
  LEFT JOIN users AS reporter ON reporter.seq = reports.reporter
  LEFT JOIN comments ON reports.kind = 1 AND comments.id = reports.subject AND comments.deleted_at IS NULL
  LEFT JOIN memes ON memes.deleted_at IS NULL AND memes.seq = CASE reports.kind
    WHEN 0 THEN (SELECT seq FROM memes WHERE id = reports.subject) ELSE comments.meme END
  LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
  LEFT JOIN users AS maker ON maker.seq = CASE reports.kind
    WHEN 0 THEN memes.author WHEN 1 THEN iif(memes.seq IS NULL, NULL, comments.user)
    ELSE (SELECT seq FROM users WHERE id = reports.subject) END
  """

extension Report {
  /// Decodes a row of ``selectReport``.
  init(_ row: borrowing Row) throws {
    let number: Int = try row[7]
    guard let status = Status.allCases.first(where: { $0.number == number }) else {
      throw SQLiteError(.mismatch, "A report is stored with a status that is unknown.")
    }
    self.init(
      id: ReportID(try row.uuid(at: 4)),
      subject: Subject(
        name: try SubjectName(row, at: 1), author: try row.author(at: 17),
        meme: try GridCell(row, at: 21), text: try row[26]),
      reason: ReportReason(stored: try row[5]), reporter: try row.author(at: 13),
      createdAt: try row.timestamp(at: 6), status: status,
      note: (try row[8] as String?).map(ReportNote.init(stored:)), closing: try Closing(row),
      openOnSubject: try row[12])
  }
}

extension Report.Closing {
  fileprivate init?(_ row: borrowing Row) throws {
    guard let actor: String = try row[10] else { return nil }
    self.init(at: try row.timestamp(at: 9), actor: actor, username: try row[11])
  }
}

extension SubjectName {
  /// Decodes kind, ID and name from three columns, beginning at `column`.
  init(_ row: borrowing Row, at column: Int) throws {
    let id = try row.uuid(at: column + 1)
    switch try row[column] as Int {
    case 0: self = .meme(MemeID(id))
    case 1: self = .comment(CommentID(id))
    default: self = .person(Username(stored: try row[column + 2]))
    }
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
}
