import Foundation
import SQLite

/// Something that the server is still to be told.
struct OutboxEntry: Sendable {
  enum Kind: Int, Sendable {
    case creation = 1
    case edit, deletion
  }

  /// Entries are sent in the order of their numbers. A number is never used again.
  let number: Int64
  let meme: Meme.ID
  let kind: Kind
  let createdAt: Date
  /// All of a new meme but its picture, or the changes of an edit; `nil` for a deletion.
  let content: MemeEdit?
  /// The key of a creation.
  let key: IdempotencyKey?
  /// The version that an edit was made on; `nil` where that is what the entry before it makes.
  let version: Int?
  /// The meme that an edit was made on, as the server had it; `nil` where it had none.
  let base: Meme?
  /// Whether the server may have been told already. Then the entry is sent again as it is, and never changed.
  let wasAttempted: Bool
}

extension OutboxEntry {
  static let columns =
    "number, meme, kind, created_at, content, key, version, base, was_attempted"

  init(_ row: borrowing Row) throws(SQLiteError) {
    guard let kind = Kind(rawValue: try row[2]) else {
      throw SQLiteError(.mismatch, "An entry of an unknown kind is stored.")
    }
    self.init(
      number: try row[0], meme: try row.id(at: 1), kind: kind, createdAt: try row.date(at: 3),
      content: try row.json(MemeEdit.self, at: 4),
      key: (try row[5] as String?).map { IdempotencyKey($0) }, version: try row[6],
      base: try row.json(Meme.self, at: 7), wasAttempted: try row[8])
  }
}

extension OutboxEntry {
  /// Whether the edit was made on this state of the meme. A server that was restored may have another state at the same version.
  func isMade(on meme: Meme) -> Bool {
    guard version == meme.version else { return false }
    guard let base, base.version == version else { return true }
    return base.updatedAt == meme.updatedAt
  }
}

// The statements of the outbox, for the transactions that follow its rules.
extension LibraryStore {
  static func entries(
    of meme: Meme.ID, in db: borrowing Access
  ) throws(LibraryError) -> [OutboxEntry] {
    try db.all(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE meme = ? ORDER BY number", meme,
      decode: OutboxEntry.init)
  }

  static func entry(
    _ number: Int64, in db: borrowing Access
  ) throws(LibraryError) -> OutboxEntry? {
    try db.first(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE number = ?", number,
      decode: OutboxEntry.init)
  }

  static func append(
    _ kind: OutboxEntry.Kind, of meme: Meme.ID, _ content: MemeEdit?, key: IdempotencyKey? = nil,
    version: Int? = nil, base: Meme? = nil, at milliseconds: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run(
      """
      INSERT INTO outbox (meme, kind, created_at, content, key, version, base)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      meme, kind.rawValue, milliseconds, try StoredJSON(content), key?.text, version,
      try StoredJSON(base))
  }

  static func replace(
    contentOf number: Int64, with content: MemeEdit, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run("UPDATE outbox SET content = ? WHERE number = ?", try StoredJSON(content), number)
  }

  static func remove(entry number: Int64, in db: borrowing Access) throws(LibraryError) {
    try db.run("DELETE FROM outbox WHERE number = ?", number)
  }

  static func removeEntries(of meme: Meme.ID, in db: borrowing Access) throws(LibraryError) {
    try db.run("DELETE FROM outbox WHERE meme = ?", meme)
  }

  static func removeOriginal(of meme: Meme.ID, in db: borrowing Access) throws(LibraryError) {
    try db.run("DELETE FROM originals WHERE meme = ?", meme)
  }
}
