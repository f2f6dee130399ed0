import Foundation
import SQL

// Settling outbox entries when their outcome is known. The effect is the same whether the outcome comes from a response
// or from a page of changes. So the order of the two does not matter, and one of them may never arrive.
extension LibraryStore {
  /// The server has created the meme. A waiting edit is based on the first version, even if the meme has changed since.
  static func settleCreation(
    _ creation: OutboxEntry, as meme: Meme, in db: borrowing Access
  ) throws {
    try remove(entry: creation.number, in: db)
    try removeOriginal(of: creation.meme, in: db)
    try base(editOf: creation.meme, on: 1, meme.version == 1 ? meme : nil, in: db)
  }

  /// The meme was created and has been deleted since. It is not created again, but local edits are kept as a draft.
  static func creationIsGone(
    _ creation: OutboxEntry, at time: Int64, in db: borrowing Access
  ) throws {
    let hasEdits = try entries(of: creation.meme, in: db).count > 1
    if hasEdits {
      try keepAsDraft(creation, because: .deletedElsewhere, at: time, in: db)
    } else {
      try removeEntries(of: creation.meme, in: db)
      try removeOriginal(of: creation.meme, in: db)
    }
  }

  /// The edit is applied as this version. A waiting edit is based on this version.
  static func settleEdit(
    _ edit: OutboxEntry, as version: Int, in db: borrowing Access
  ) throws {
    try remove(entry: edit.number, in: db)
    try base(editOf: edit.meme, on: version, nil, in: db)
  }

  /// Settles edits that are not based on the current state of the meme. An edit that the meme already contains is
  /// complete: only its response was lost. For other edits, the server's state wins, and the edits become a draft.
  static func settleEdits(
    against current: Meme, at time: Int64, in db: borrowing Access
  ) throws {
    while let edit = try entries(of: current.id, in: db).first, edit.kind == .edit,
      let version = edit.version, let content = edit.content, !edit.isMade(on: current)
    {
      guard content.isIn(current) else {
        return try keepAsDraft(edit, because: .changedElsewhere, at: time, in: db)
      }
      try settleEdit(edit, as: version + 1, in: db)
    }
  }

  /// Moves all entries of the meme, starting with `entry`, from the outbox into a single draft.
  static func keepAsDraft(
    _ entry: OutboxEntry, because reason: LibraryDraft.Reason, at time: Int64,
    in db: borrowing Access
  ) throws {
    let contents = try entries(of: entry.meme, in: db).map(\.content)
    // The edits after a creation are also stored separately, in case the meme turns up on the server after all.
    let later = entry.kind == .creation && contents.count > 1 ? contents.dropFirst() : nil
    try removeEntries(of: entry.meme, in: db)
    try db.run(
      """
      INSERT INTO drafts (meme, kind, created_at, content, base, reason, later)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      entry.meme, entry.kind.rawValue, time, try StoredJSON(MemeEdit(contents[...])),
      try StoredJSON(entry.base), try StoredJSON(reason), try StoredJSON(later.map { MemeEdit($0) })
    )
  }

  /// - Parameter state: The meme at that version; `nil` if unknown.
  private static func base(
    editOf meme: Meme.ID, on version: Int, _ state: Meme?, in db: borrowing Access
  ) throws {
    try db.run(
      """
      UPDATE outbox SET version = ?, base = coalesce(base, ?)
      WHERE meme = ? AND kind = 2 AND version IS NULL
      """, version, try StoredJSON(state), meme)
  }
}
