import Foundation
import SQLite

// Changes that were not taken, for the person to decide about.
extension LibraryStore {
  private static let draftColumns = "number, meme, kind, created_at, content, base, reason"

  func drafts() throws(LibraryError) -> [LibraryDraft] {
    try read { db throws(LibraryError) in
      try db.all(
        "SELECT \(Self.draftColumns) FROM drafts ORDER BY number DESC", decode: LibraryDraft.init)
    }
  }

  static func drafts(of meme: Meme.ID, in db: borrowing Access) throws(LibraryError)
    -> [LibraryDraft]
  {
    try db.all(
      "SELECT \(draftColumns) FROM drafts WHERE meme = ? ORDER BY number DESC", meme,
      decode: LibraryDraft.init)
  }

  static func hasDraft(of meme: Meme.ID, in db: borrowing Access) throws(LibraryError) -> Bool {
    try db.first("SELECT 1 FROM drafts WHERE meme = ?", meme) { _ in true } ?? false
  }

  static func removeDrafts(of meme: Meme.ID, in db: borrowing Access) throws(LibraryError) {
    try db.run("DELETE FROM drafts WHERE meme = ?", meme)
  }

  /// Where a meme turns up after all, nothing of its creation is left to decide about. What was changed of it since is, unless the
  /// meme has it: the draft becomes that of an edit.
  static func settleCreationDraft(against meme: Meme, in db: borrowing Access) throws(LibraryError)
  {
    let draft = try db.first(
      "SELECT number, later FROM drafts WHERE meme = ? AND kind = 1", meme.id
    ) { row throws(SQLiteError) in
      (number: try row[0] as Int64, later: try row.json(MemeEdit.self, at: 1))
    }
    guard let draft else { return }
    try removeOriginal(of: meme.id, in: db)
    guard let later = draft.later, !later.isIn(meme) else {
      try db.run("DELETE FROM drafts WHERE number = ?", draft.number)
      return
    }
    try db.run(
      "UPDATE drafts SET kind = 2, content = ?, later = NULL, reason = ? WHERE number = ?",
      try StoredJSON(later), try StoredJSON(LibraryDraft.Reason.changedElsewhere), draft.number)
  }

  /// Changes what is only a draft, and stays one.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  static func edit(
    creationDraftOf meme: Meme.ID, _ changes: MemeEdit, in db: borrowing Access
  ) throws(LibraryError) {
    let draft = try db.first(
      "SELECT number, content, later FROM drafts WHERE meme = ? AND kind = 1", meme
    ) { row throws(SQLiteError) in
      (
        number: try row[0] as Int64, content: try row.json(MemeEdit.self, at: 1),
        later: try row.json(MemeEdit.self, at: 2)
      )
    }
    guard let draft else { throw .noSuchMeme }
    try db.run(
      "UPDATE drafts SET content = ?, later = ? WHERE number = ?",
      try StoredJSON(MemeEdit([draft.content, changes])),
      try StoredJSON(MemeEdit([draft.later, changes])), draft.number)
  }

  /// Sends what is in a draft after all: a creation as a new meme, a change over what the meme is now.
  ///
  /// - Parameter edit: what is to be another.
  /// - Returns: the meme that it is of now.
  /// - Throws: ``LibraryError/noSuchDraft``, ``LibraryError/nothingToApplyTo``.
  func apply(_ id: LibraryDraft.ID, with edit: MemeEdit) async throws(LibraryError) -> Meme.ID {
    let (time, newMeme) = (milliseconds, Meme.ID())
    return try await write { db throws(LibraryError) in
      let draft = try Self.take(id, in: db)
      let content = draft.content.followed(by: edit)
      switch draft.kind {
      case .creation:
        // The server may know the name that it had.
        let moved = try db.run(
          "UPDATE originals SET meme = ? WHERE meme = ?", newMeme, draft.meme)
        guard moved == 1 else { throw .nothingToApplyTo }
        try Self.append(
          .creation, of: newMeme, content, key: IdempotencyKey(), at: time, in: db)
        return newMeme
      case .edit, .deletion:
        guard try Self.stored(draft.meme, in: db) != nil else { throw .nothingToApplyTo }
        let isDeletion = draft.kind == .deletion
        if isDeletion {
          try Self.removeEntries(of: draft.meme, in: db)
          try Self.append(.deletion, of: draft.meme, nil, at: time, in: db)
        } else {
          try Self.edit(draft.meme, content, at: time, in: db)
        }
        return draft.meme
      }
    }
  }

  /// - Throws: ``LibraryError/noSuchDraft``.
  func discard(_ id: LibraryDraft.ID) async throws(LibraryError) -> Meme.ID {
    try await write { db throws(LibraryError) in
      let draft = try Self.take(id, in: db)
      if draft.kind == .creation { try Self.removeOriginal(of: draft.meme, in: db) }
      return draft.meme
    }
  }

  private static func take(
    _ id: LibraryDraft.ID, in db: borrowing Access
  ) throws(LibraryError) -> LibraryDraft {
    let draft = try db.first(
      "SELECT \(draftColumns) FROM drafts WHERE number = ?", id, decode: LibraryDraft.init)
    guard let draft else { throw .noSuchDraft }
    try db.run("DELETE FROM drafts WHERE number = ?", id)
    return draft
  }
}

extension LibraryDraft {
  fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
    guard let kind = OutboxEntry.Kind(rawValue: try row[2]) else {
      throw SQLiteError(.mismatch, "A draft of an unknown kind is stored.")
    }
    self.init(
      id: try row[0], meme: try row.id(at: 1), kind: Kind(kind), createdAt: try row.date(at: 3),
      content: try row.json(MemeEdit.self, at: 4) ?? MemeEdit(),
      base: try row.json(Meme.self, at: 5), reason: try row.requiredJSON(Reason.self, at: 6))
  }
}

extension LibraryDraft.Kind {
  fileprivate init(_ kind: OutboxEntry.Kind) {
    self =
      switch kind {
      case .creation: .creation
      case .edit: .edit
      case .deletion: .deletion
      }
  }
}
