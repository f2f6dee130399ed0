import Foundation
import SQLite

// What becomes of entries of the outbox once it is known what the server did with them. Each of these is the same whether an
// answer told it or a page of changes, so it does not matter which comes first, or that the other never comes.
extension LibraryStore {
  /// The server has the meme. An edit that waits behind is of what was created, the first version, whatever it is by now.
  static func settleCreation(_ creation: OutboxEntry, in db: borrowing Access) throws(LibraryError)
  {
    try remove(entry: creation.number, in: db)
    try removeOriginal(of: creation.meme, in: db)
    try base(editOf: creation.meme, on: 1, in: db)
  }

  /// The meme was made and deleted by now. It does not come back by itself; what was changed since is kept.
  static func creationIsGone(
    _ creation: OutboxEntry, at time: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    let hasEdits = try entries(of: creation.meme, in: db).count > 1
    if hasEdits {
      try keepAsDraft(creation, because: .deletedElsewhere, at: time, in: db)
    } else {
      try removeEntries(of: creation.meme, in: db)
      try removeOriginal(of: creation.meme, in: db)
    }
  }

  /// The edit is done, as this version. An edit that waits behind is of that one.
  static func settleEdit(
    _ edit: OutboxEntry, as version: Int, in db: borrowing Access
  ) throws(LibraryError) {
    try remove(entry: edit.number, in: db)
    try base(editOf: edit.meme, on: version, in: db)
  }

  /// Settles the edits of a meme that is not what they were made on: those that the server has already are done, whose
  /// answer was lost; of others the server's state wins, and they are kept as a draft.
  static func settleEdits(
    against current: Meme, at time: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    while let edit = try entries(of: current.id, in: db).first, edit.kind == .edit,
      let version = edit.version, let content = edit.content, !edit.isMade(on: current)
    {
      guard content.isIn(current) else {
        return try keepAsDraft(edit, because: .changedElsewhere, at: time, in: db)
      }
      try settleEdit(edit, as: version + 1, in: db)
    }
  }

  /// Takes everything out of the outbox that waits for this meme from `entry` on, and keeps it together as one draft.
  static func keepAsDraft(
    _ entry: OutboxEntry, because reason: LibraryDraft.Reason, at time: Int64,
    in db: borrowing Access
  ) throws(LibraryError) {
    let contents = try entries(of: entry.meme, in: db).map(\.content)
    // Of a creation the rest is needed by itself, should the meme turn up after all.
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

  private static func base(
    editOf meme: Meme.ID, on version: Int, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run(
      "UPDATE outbox SET version = ? WHERE meme = ? AND kind = 2 AND version IS NULL", version, meme
    )
  }
}
