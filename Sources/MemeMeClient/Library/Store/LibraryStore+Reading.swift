import Foundation
import SQLite

// Pages of changes, on their way into the library.
extension LibraryStore {
  /// Takes a page in, and moves behind it, in one transaction: a crash neither skips a change nor takes one twice.
  ///
  /// - Parameter place: where the page begins. Where the library is elsewhere by now, the page is dropped.
  /// - Returns: what was changed by it.
  func take(
    _ page: ChangePage, at place: ReadingPlace
  ) async throws(LibraryError) -> LibraryUpdate {
    let time = milliseconds
    return try await write { db throws(LibraryError) in
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
        // It is of a version of the contract that has more to say.
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
  ) throws(LibraryError) {
    // A page may be older than the answer to an edit of ours; but where reading began again, nothing is older than a page.
    let stored = try stored(meme.id, in: db)
    if place.isWhole, let stored, stored.version > meme.version { return }
    try put(meme, generation: place.generation, in: db)
    if try takeOutOfWithdrawn(meme.id, in: db) {
      try append(.deletion, of: meme.id, nil, at: time, in: db)
    }
    if let creation = try entries(of: meme.id, in: db).first, creation.kind == .creation {
      try settleCreation(creation, in: db)
    }
    try settleCreationDraft(against: meme, in: db)
    try settleEdits(against: meme, at: time, in: db)
  }

  private static func takeDeletion(
    of meme: Meme.ID, _ time: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    try drop(meme, in: db)
    _ = try takeOutOfWithdrawn(meme, in: db)
    guard let entry = try entries(of: meme, in: db).first else { return }
    switch entry.kind {
    case .creation: try creationIsGone(entry, at: time, in: db)
    case .edit: try keepAsDraft(entry, because: .deletedElsewhere, at: time, in: db)
    case .deletion: try remove(entry: entry.number, in: db)
    }
  }

  /// After a new beginning: what was made and deleted while nobody knows it any more cannot be told from what never arrived.
  /// To send it again might bring something back that somebody deleted, so the person decides.
  private static func settleUncertainCreations(
    _ time: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    let uncertain = try db.all(
      "SELECT \(OutboxEntry.columns) FROM outbox WHERE kind = 1 AND was_attempted = 1",
      decode: OutboxEntry.init)
    for creation in uncertain {
      try keepAsDraft(creation, because: .uncertain, at: time, in: db)
    }
  }

  /// For so long a creation may be on its way, at the very most.
  private static let withdrawnMilliseconds: Int64 = 60 * 24 * 60 * 60 * 1000

  private static func forgetWithdrawn(
    before time: Int64, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run("DELETE FROM withdrawn WHERE created_at < ?", time)
  }

  /// - Returns: whether it was in there.
  private static func takeOutOfWithdrawn(
    _ meme: Meme.ID, in db: borrowing Access
  ) throws(LibraryError) -> Bool {
    try db.run("DELETE FROM withdrawn WHERE meme = ?", meme) > 0
  }
}
