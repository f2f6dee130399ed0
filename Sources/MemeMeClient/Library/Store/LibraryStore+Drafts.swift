import Foundation
import SQL

// Changes that the server did not accept, for the user to decide about.
extension LibraryStore {
  private static let draftColumns = "kind, number, meme, created_at, content, base, reason"

  func drafts() throws(LibraryError) -> [LibraryDraft] {
    try read { db in
      try db.all(
        "SELECT \(Self.draftColumns) FROM drafts ORDER BY number DESC", decode: LibraryDraft.init)
    }
  }

  static func drafts(of meme: Meme.ID, in db: borrowing Access) throws
    -> [LibraryDraft]
  {
    try db.all(
      "SELECT \(draftColumns) FROM drafts WHERE meme = ? ORDER BY number DESC", meme,
      decode: LibraryDraft.init)
  }

  static func removeDrafts(of meme: Meme.ID, in db: borrowing Access) throws {
    try db.run("DELETE FROM drafts WHERE meme = ?", meme)
  }

  /// Settles the draft of a creation whose meme exists on the server after all. Edits made since then become a draft of
  /// their own, unless the meme already contains them.
  static func settleCreationDraft(against meme: Meme, in db: borrowing Access) throws {
    let draft = try db.first(
      "SELECT number, later FROM drafts WHERE meme = ? AND kind = 1", meme.id
    ) { row in
      (number: try row.next() as Int64, later: try row.nextJSON(MemeEdit.self))
    }
    guard let draft else { return }
    try removeOriginal(of: meme.id, in: db)
    guard let later = draft.later, !later.isIn(meme) else {
      try db.run("DELETE FROM drafts WHERE number = ?", draft.number)
      return
    }
    try db.run(
      "UPDATE drafts SET kind = 2, content = ?, base = ?, later = NULL, reason = ? WHERE number = ?",
      try StoredJSON(later), try StoredJSON(meme.version == 1 ? meme : nil),
      try StoredJSON(LibraryDraft.Reason.changedElsewhere), draft.number)
  }

  /// Edits a creation that exists only as a draft. It remains a draft.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  static func edit(
    creationDraftOf meme: Meme.ID, _ changes: MemeEdit, in db: borrowing Access
  ) throws {
    let draft = try db.first(
      "SELECT number, content, later FROM drafts WHERE meme = ? AND kind = 1", meme
    ) { row in
      (
        number: try row.next() as Int64, content: try row.nextJSON(MemeEdit.self),
        later: try row.nextJSON(MemeEdit.self)
      )
    }
    guard let draft else { throw LibraryError.noSuchMeme }
    try db.run(
      "UPDATE drafts SET content = ?, later = ? WHERE number = ?",
      try StoredJSON(MemeEdit([draft.content, changes])),
      try StoredJSON(MemeEdit([draft.later, changes])), draft.number)
  }

  /// Sends the content of a draft again: a creation as a new meme, other changes against the meme's current state.
  ///
  /// - Parameter edit: Changes to the draft's content.
  /// - Returns: The ID of the meme. A creation receives a new one.
  /// - Throws: ``LibraryError/noSuchDraft``, ``LibraryError/nothingToApplyTo``, ``LibraryError/picturesChanged``.
  func apply(_ id: LibraryDraft.ID, with edit: MemeEdit) async throws(LibraryError) -> Meme.ID {
    let (time, newMeme) = (milliseconds, Meme.ID())
    return try await write { db in
      let draft = try Self.take(id, in: db)
      let content = draft.content.followed(by: edit)
      switch draft.kind {
      case .creation:
        // The server may already know the old ID.
        let moved = try db.run(
          "UPDATE originals SET meme = ? WHERE meme = ?", newMeme, draft.meme)
        guard moved == 1 else { throw LibraryError.nothingToApplyTo }
        try Self.withdrawIfOnItsWay(draft, at: time, in: db)
        try Self.append(.creation(content), of: newMeme, at: time, in: db)
        let resets = content.resetsOfSettings
        if resets != MemeEdit() {
          try Self.append(
            .edit(resets, version: nil, base: nil), of: newMeme, at: time, in: db)
        }
        return newMeme
      case .edit, .deletion:
        guard let stored = try Self.stored(draft.meme, in: db) else {
          throw LibraryError.nothingToApplyTo
        }
        let isDeletion = draft.kind == .deletion
        if isDeletion {
          try Self.removeEntries(of: draft.meme, in: db)
          try Self.append(.deletion, of: draft.meme, at: time, in: db)
        } else {
          let waiting = MemeEdit(try Self.entries(of: draft.meme, in: db).map(\.content))
          // Without boxes in the draft, the indices in `edit` are of the current state already.
          let base = draft.content.pictures == .keep ? stored.with(waiting) : draft.base
          guard let moved = content.keepingPictures(of: base, in: stored.with(waiting)) else {
            throw LibraryError.picturesChanged
          }
          try Self.edit(draft.meme, moved, at: time, in: db)
        }
        return draft.meme
      }
    }
  }

  /// - Throws: ``LibraryError/noSuchDraft``.
  func discard(_ id: LibraryDraft.ID) async throws(LibraryError) -> Meme.ID {
    let time = milliseconds
    return try await write { db in
      let draft = try Self.take(id, in: db)
      if draft.kind == .creation { try Self.removeOriginal(of: draft.meme, in: db) }
      try Self.withdrawIfOnItsWay(draft, at: time, in: db)
      return draft.meme
    }
  }

  /// Deletes the meme of a removed draft again if the server creates it after all.
  private static func withdrawIfOnItsWay(
    _ draft: LibraryDraft, at time: Int64, in db: borrowing Access
  ) throws {
    guard draft.mayArrive, try stored(draft.meme, in: db) == nil else { return }
    try withdraw(draft.meme, at: time, in: db)
  }

  private static func take(
    _ id: LibraryDraft.ID, in db: borrowing Access
  ) throws -> LibraryDraft {
    let draft = try db.first(
      "SELECT \(draftColumns) FROM drafts WHERE number = ?", id, decode: LibraryDraft.init)
    guard let draft else { throw LibraryError.noSuchDraft }
    try db.run("DELETE FROM drafts WHERE number = ?", id)
    return draft
  }
}

extension LibraryDraft {
  /// Whether the server may still create the meme: a request whose response was lost may be in transit.
  var mayArrive: Bool { kind == .creation && reason != .deletedElsewhere }

  fileprivate init(_ row: inout Row) throws {
    guard let kind = OutboxEntry.Kind(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown draft kind in the database.")
    }
    self.init(
      id: try row.next(), meme: try row.nextID(), kind: Kind(kind), createdAt: try row.nextDate(),
      content: try row.nextJSON(MemeEdit.self) ?? MemeEdit(), base: try row.nextJSON(Meme.self),
      reason: try row.nextRequiredJSON(Reason.self))
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
