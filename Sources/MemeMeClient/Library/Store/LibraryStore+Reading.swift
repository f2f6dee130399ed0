import Foundation
import SQL

// Storing pages of changes.
extension LibraryStore {
  /// Stores a page and moves the position behind it in one transaction, so a crash neither skips nor repeats a change.
  ///
  /// - Parameter place: The position before the page. If the library has moved elsewhere since, the page is ignored.
  /// - Returns: The resulting update.
  func take(
    _ page: ChangePage, at place: ReadingPlace
  ) async throws(LibraryError) -> LibraryUpdate {
    let time = milliseconds
    return try await write { db in
      guard try Self.place(in: db) == place else { return LibraryUpdate() }
      var update = LibraryUpdate()
      for change in page.changes {
        switch change {
        case .upsert(let meme):
          try Self.takeUpsert(of: meme, at: place, time, in: db)
          update.add(meme.id)
        case .delete(let id, _):
          try Self.takeDeletion(of: id, time, in: db)
          update.add(id)
        // The change is of a type that only newer versions of the API define.
        case .other: break
        }
      }
      let isAtEnd = !page.hasMore
      if isAtEnd, !place.isWhole {
        for meme in try Self.unseen(before: place.generation, in: db) {
          try Self.takeDeletion(of: meme, time, in: db)
          update.add(meme)
        }
        try Self.settleUncertainCreations(time, in: db)
        update.addAll()
      }
      try Self.move(to: page.cursor, isWhole: place.isWhole || isAtEnd, in: db)
      try Self.forgetWithdrawn(before: time - Self.withdrawnMilliseconds, in: db)
      return update
    }
  }

  private static func takeUpsert(
    of meme: Meme, at place: ReadingPlace, _ time: Int64, in db: borrowing Access
  ) throws {
    // A page may be older than the response to a local edit. After a restart from the beginning, the page always wins.
    let stored = try stored(meme.id, in: db)
    if place.isWhole, let stored, stored.version > meme.version { return }
    try put(meme, generation: place.generation, in: db)
    if try takeOutOfWithdrawn(meme.id, in: db) {
      try append(.deletion, of: meme.id, at: time, in: db)
    }
    if let creation = try entries(of: meme.id, in: db).first, creation.kind == .creation {
      try settleCreation(creation, as: meme, in: db)
    }
    try settleCreationDraft(against: meme, in: db)
    try settleEdits(against: meme, at: time, in: db)
  }

  private static func takeDeletion(
    of meme: Meme.ID, _ time: Int64, in db: borrowing Access
  ) throws {
    try drop(meme, in: db)
    _ = try takeOutOfWithdrawn(meme, in: db)
    guard let entry = try entries(of: meme, in: db).first else { return }
    switch entry.kind {
    case .creation: try creationIsGone(entry, at: time, in: db)
    case .edit: try keepAsDraft(entry, because: .deletedElsewhere, at: time, in: db)
    case .deletion: try remove(entry: entry.number, in: db)
    }
  }

  /// Handles creations that may have been sent before a restart from the beginning. The server may no longer have a
  /// record of a deletion, so a meme that was created and deleted looks like one that never arrived. Sending the
  /// creation again might restore a deleted meme, so the user decides.
  private static func settleUncertainCreations(
    _ time: Int64, in db: borrowing Access
  ) throws {
    let uncertain = try db.all(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE kind = 1 AND was_attempted = 1",
      decode: OutboxEntry.init)
    for creation in uncertain {
      try keepAsDraft(creation, because: .uncertain, at: time, in: db)
    }
  }

  /// The maximum time for which a creation may be in transit.
  private static let withdrawnMilliseconds: Int64 = 60 * 24 * 60 * 60 * 1000

  private static func forgetWithdrawn(
    before time: Int64, in db: borrowing Access
  ) throws {
    try db.run("DELETE FROM withdrawn WHERE created_at < ?", time)
  }

  /// Deletes the meme again if it turns up on the server.
  static func withdraw(_ meme: Meme.ID, at time: Int64, in db: borrowing Access) throws {
    try db.run("INSERT OR REPLACE INTO withdrawn (meme, created_at) VALUES (?, ?)", meme, time)
  }

  /// - Returns: Whether the meme was in the table.
  private static func takeOutOfWithdrawn(
    _ meme: Meme.ID, in db: borrowing Access
  ) throws -> Bool {
    try db.run("DELETE FROM withdrawn WHERE meme = ?", meme) > 0
  }
}
