import Foundation
package import Memes
import SQLite

/// A person's changes, in the tables `changes` and `epochs`. Triggers write them, in the transaction of what changed, so that none is
/// forgotten.
extension SQLiteMemes: SyncStore {
  package func changes(
    of viewer: Viewer, since position: SyncPosition?, limit: Int
  ) async throws(MemeError) -> SyncPage {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      let record = try changeRecord(of: viewer.person, in: db)
      let start = position ?? record.beginning
      guard record.reachesBack(to: start) else { throw .cursorExpired }
      let found = try db.all(
        Self.changesQuery, sight.person, start.number, max(start.number, start.floor), limit + 1
      ) { row throws(SQLiteError) in try FoundChange(row) }
      let shown = found.prefix(limit)
      let memes = try memes(shown.compactMap(\.sequence), sight, in: db)
      return SyncPage(
        changes: try shown.map { change throws(MemeError) in try change.told(with: memes) },
        start: start, hasMore: found.count > limit)
    }
  }

  package func newestPosition(of person: UserID) async throws(MemeError) -> SyncPosition {
    try readers.read { db throws(MemeError) in try changeRecord(of: person, in: db).end }
  }

  package func pruneTombstones(
    deletedUpTo horizon: Timestamp, atMost count: Int
  ) async throws(MemeError) -> Int {
    try await writer.transaction { db throws(MemeError) in
      try db.run(Self.pruneStatement, horizon.millisecondsSince1970, count)
    }
  }

  /// Their changes go with them, by a trigger.
  static let pruneStatement = """
    DELETE FROM deleted_memes WHERE id IN (
      SELECT id FROM deleted_memes INDEXED BY deleted_memes_by_time
      WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?)
    """

  /// What is there behind `?2`, and what is deleted behind `?3`, in the order of both; `?4` at most.
  static let changesQuery = """
    WITH page (number, meme, deleted_at) AS (
      SELECT number, meme, deleted_at FROM changes INDEXED BY changes_there
      WHERE author = \(Sight.asking) AND deleted_at IS NULL AND number > ?2
      UNION ALL
      SELECT number, meme, deleted_at FROM changes INDEXED BY changes_deleted
      WHERE author = \(Sight.asking) AND deleted_at IS NOT NULL AND number > ?3
      ORDER BY number LIMIT ?4)
    SELECT page.number, page.meme, page.deleted_at,
      iif(page.deleted_at IS NULL, (SELECT seq FROM memes WHERE id = page.meme), NULL)
    FROM page
    """

  private func memes(
    _ sequences: [Int64], _ sight: Sight, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [Int64: Meme] {
    let numbers = "[\(sequences.map(String.init).joined(separator: ","))]"
    let memes = try db.all(Self.pageQuery.some[sight], sight.person, numbers) {
      row throws(SQLiteError) in (try row[0] as Int64, try Meme(row))
    }
    return Dictionary(memes) { first, _ in first }
  }
}

/// A row of ``SQLiteMemes/changesQuery``.
private struct FoundChange {
  let number: Int64
  let id: MemeID
  let deletedAt: Timestamp?
  /// The `memes.seq` of one that is there.
  let sequence: Int64?

  init(_ row: borrowing Row) throws(SQLiteError) {
    (number, id, sequence) = (try row[0], try row.memeID(at: 1), try row[3])
    deletedAt = (try row[2] as Int64?).map(Timestamp.init(millisecondsSince1970:))
  }

  /// - Throws: where the database is damaged: to leave a change out would be to say that there is none.
  func told(with memes: [Int64: Meme]) throws(MemeError) -> SyncChange {
    if let deletedAt { return SyncChange(number: number, .delete(id, at: deletedAt)) }
    guard let sequence, let meme = memes[sequence] else {
      throw .storage(SQLiteError(.corrupt, "A change is stored of a meme that is not there."))
    }
    return SyncChange(number: number, .upsert(meme))
  }
}

/// What there is of changes, as of one moment, for one person.
private struct ChangeRecord {
  let epoch: UInt64
  /// Of the whole database.
  let newest: Int64
  /// The person's newest that is not known any more.
  let pruned: Int64

  /// Where a client begins that has nothing.
  var beginning: SyncPosition { SyncPosition(epoch: epoch, number: 0, floor: newest) }

  var end: SyncPosition { SyncPosition(epoch: epoch, number: newest, floor: newest) }

  /// Whether all is known that was deleted behind the place.
  func reachesBack(to position: SyncPosition) -> Bool {
    position.epoch == epoch && position.number <= newest && position.floor <= newest
      && pruned <= max(position.number, position.floor)
  }
}

/// - Throws: ``MemeError/unauthorized`` where there is no such person.
private func changeRecord(
  of person: UserID?, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> ChangeRecord {
  guard let person else { throw .unauthorized }
  let found = try db.first(
    """
    SELECT (SELECT epoch FROM epochs),
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), pruned_changes
    FROM users WHERE id = ?
    """, person.bytes
  ) { row throws(SQLiteError) in
    let epoch = try row.withBytes(at: 0) { $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : nil }
    guard let epoch else { throw SQLiteError(.mismatch, "An epoch is stored that is none.") }
    // A person's id is random: places of one are none of another.
    return ChangeRecord(epoch: epoch ^ person.folded, newest: try row[1], pruned: try row[2])
  }
  guard let found else { throw .unauthorized }
  return found
}

extension UserID {
  fileprivate var folded: UInt64 {
    withUnsafeBytes(of: uuid.uuid) {
      $0.loadUnaligned(as: UInt64.self) ^ $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
  }
}
