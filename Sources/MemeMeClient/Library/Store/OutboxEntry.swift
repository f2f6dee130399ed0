import Foundation
import SQL

/// A change that waits to be sent to the server.
struct OutboxEntry: Sendable {
  enum Kind: Int, Sendable {
    case creation = 1
    case edit, deletion
  }

  /// The position in the sending order. Numbers are never reused.
  let number: Int64
  let meme: Meme.ID
  let kind: Kind
  let createdAt: Date
  /// The fields of a new meme except its picture, or the changes of an edit; `nil` for a deletion.
  let content: MemeEdit?
  /// The idempotency key of a creation.
  let key: IdempotencyKey?
  /// The version that an edit is based on; `nil` if the preceding entry creates that version.
  let version: Int?
  /// The server's state that an edit is based on; `nil` if the server did not have the meme.
  let base: Meme?
  /// Whether the entry may have reached the server. If so, it is sent again unchanged and never modified.
  let wasAttempted: Bool
}

extension OutboxEntry {
  /// A change that becomes an entry.
  enum Change {
    /// The fields of a new meme except its picture.
    case creation(MemeEdit)
    /// The changes, and the version and the state that they are based on, as in an entry.
    case edit(MemeEdit, version: Int?, base: Meme?)
    case deletion
  }

  static let columns =
    "kind, number, meme, created_at, content, key, version, base, was_attempted"

  init(_ row: inout Row) throws {
    guard let kind = Kind(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown outbox entry kind in the database.")
    }
    self.init(
      number: try row.next(), meme: try row.nextID(), kind: kind, createdAt: try row.nextDate(),
      content: try row.nextJSON(MemeEdit.self),
      key: (try row.next() as String?).map { IdempotencyKey($0) }, version: try row.next(),
      base: try row.nextJSON(Meme.self), wasAttempted: try row.next())
  }
}

extension OutboxEntry {
  /// Whether the edit is based on this state of the meme. A restored server may have another state at this version.
  func isMade(on meme: Meme) -> Bool {
    guard version == meme.version else { return false }
    guard let base, base.version == version else { return true }
    return base.updatedAt == meme.updatedAt
  }
}

// SQL statements for the outbox. The transactions that call them follow its rules.
extension LibraryStore {
  static func entries(
    of meme: Meme.ID, in db: borrowing Access
  ) throws -> [OutboxEntry] {
    try db.all(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE meme = ? ORDER BY number", meme,
      decode: OutboxEntry.init)
  }

  static func entry(
    _ number: Int64, in db: borrowing Access
  ) throws -> OutboxEntry? {
    try db.first(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE number = ?", number,
      decode: OutboxEntry.init)
  }

  static func append(
    _ change: OutboxEntry.Change, of meme: Meme.ID, at milliseconds: Int64, in db: borrowing Access
  ) throws {
    var (content, key) = (nil as MemeEdit?, nil as IdempotencyKey?)
    var (version, base) = (nil as Int?, nil as Meme?)
    let kind: OutboxEntry.Kind
    switch change {
    case .creation(let fields): (kind, content, key) = (.creation, fields, IdempotencyKey())
    case .edit(let changes, let ownVersion, let state):
      (kind, content, version, base) = (.edit, changes, ownVersion, state)
    case .deletion: kind = .deletion
    }
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
  ) throws {
    try db.run("UPDATE outbox SET content = ? WHERE number = ?", try StoredJSON(content), number)
  }

  static func remove(entry number: Int64, in db: borrowing Access) throws {
    try db.run("DELETE FROM outbox WHERE number = ?", number)
  }

  static func removeEntries(of meme: Meme.ID, in db: borrowing Access) throws {
    try db.run("DELETE FROM outbox WHERE meme = ?", meme)
  }

  static func removeOriginal(of meme: Meme.ID, in db: borrowing Access) throws {
    try db.run("DELETE FROM originals WHERE meme = ?", meme)
  }
}
