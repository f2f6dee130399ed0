import Foundation
package import Memes
import SQL

/// The changes of a person's memes, in the tables `changes`, `epochs` and `users`. Triggers record each change in the
/// transaction that makes it, so that none is lost.
extension MemeStore {
  /// A page of the changes of the viewer's own memes, in commit order.
  ///
  /// - Parameter position: the client's position; `nil` for an empty copy, which needs no earlier deletions.
  /// - Throws: ``MemeError/unauthorized`` if there is no such user; ``MemeError/cursorExpired`` if the position belongs
  ///   to another user or database, or deletions after it are no longer on record.
  package func changes(
    of viewer: Principal, since position: SyncPosition?, limit: Int
  ) async throws -> SyncPage {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let record = try changeRecord(of: viewer.person, in: db)
      let start = position ?? record.beginning
      guard record.reachesBack(to: start) else { throw MemeError.cursorExpired }
      let found = try db.all(
        Self.changesQuery, policy.person, start.number, max(start.number, start.floor), limit + 1
      ) { row in try FoundChange(&row) }
      let shown = found.prefix(limit)
      let memes = try memes(shown.compactMap(\.sequence), policy, in: db)
      return SyncPage(
        changes: try shown.map { change in try change.told(with: memes) },
        start: start, hasMore: found.count > limit)
    }
  }

  /// The position of a client that has all committed changes of the user.
  ///
  /// - Throws: ``MemeError/unauthorized`` if there is no such user.
  package func newestPosition(of person: UserID) async throws -> SyncPosition {
    try await readers.read { db in try changeRecord(of: person, in: db).end }
  }

  /// Deletes the records of some purged memes that were deleted at `horizon` or earlier, oldest first.
  ///
  /// - Parameter count: the maximum number of records.
  /// - Returns: the number of deleted records; 0 if nothing is left to delete.
  package func pruneTombstones(
    deletedUpTo horizon: Timestamp, atMost count: Int
  ) async throws -> Int {
    try await writer.transaction { db in
      try db.lockAuthors(ofDeletedUpTo: horizon, atMost: count)
      return try db.run(Self.pruneStatement, horizon.millisecondsSince1970, count)
    }
  }

  /// A trigger also deletes their changes.
  static let pruneStatement = """
    DELETE FROM deleted_memes WHERE id IN (
      SELECT id FROM deleted_memes INDEXED BY deleted_memes_by_time
      WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?)
    """

  /// Selects existing memes after `?2` and deleted memes after `?3`, together in the order of their numbers, at most
  /// `?4`.
  static let changesQuery = """
    WITH page (number, meme, deleted_at) AS (
      SELECT number, meme, deleted_at FROM changes INDEXED BY changes_there
      WHERE author = \(AccessPolicy.asking) AND deleted_at IS NULL AND number > ?2
      UNION ALL
      SELECT number, meme, deleted_at FROM changes INDEXED BY changes_deleted
      WHERE author = \(AccessPolicy.asking) AND deleted_at IS NOT NULL AND number > ?3
      ORDER BY number LIMIT ?4)
    SELECT page.number, page.meme, page.deleted_at,
      CASE WHEN page.deleted_at IS NULL THEN (SELECT seq FROM memes WHERE id = page.meme) END
    FROM page
    """

  private func memes(
    _ sequences: [Int64], _ policy: AccessPolicy, in db: borrowing Transaction
  ) throws -> [Int64: Meme] {
    let numbers = "[\(sequences.map(String.init).joined(separator: ","))]"
    let memes = try db.all(Self.pageQuery.some[policy], policy.person, numbers) {
      row in (try row.next() as Int64, try Meme(&row))
    }
    return Dictionary(memes) { first, _ in first }
  }
}

/// A row of ``MemeStore/changesQuery``.
private struct FoundChange {
  let number: Int64
  let id: MemeID
  let deletedAt: Timestamp?
  /// The `memes.seq` of a meme that exists.
  let sequence: Int64?

  init(_ row: inout Row) throws {
    (number, id) = (try row.next(), try row.nextMemeID())
    (deletedAt, sequence) = (try row.nextOptionalTimestamp(), try row.next())
  }

  /// - Throws: an error if the database is damaged. Skipping the change would hide it from the client.
  func told(with memes: [Int64: Meme]) throws -> SyncChange {
    if let deletedAt { return SyncChange(number: number, .delete(id, at: deletedAt)) }
    guard let sequence, let meme = memes[sequence] else {
      throw MemeError.storage(
        DatabaseError(.corrupt, "A change in the database refers to a missing meme."))
    }
    return SyncChange(number: number, .upsert(meme))
  }
}

/// The state of the recorded changes for one person, at one time.
private struct ChangeRecord {
  let epoch: UInt64
  /// The newest number of this person.
  let newest: Int64
  /// The newest number of this person whose change is no longer recorded.
  let pruned: Int64

  /// The position of a client without any data.
  var beginning: SyncPosition { SyncPosition(epoch: epoch, number: 0, floor: newest) }

  var end: SyncPosition { SyncPosition(epoch: epoch, number: newest, floor: newest) }

  /// Whether all deletions after the position are still recorded.
  func reachesBack(to position: SyncPosition) -> Bool {
    position.epoch == epoch && position.number <= newest && position.floor <= newest
      && pruned <= max(position.number, position.floor)
  }
}

/// - Throws: ``MemeError/unauthorized`` if there is no such person.
private func changeRecord(
  of person: UserID?, in db: borrowing Transaction
) throws -> ChangeRecord {
  guard let person else { throw MemeError.unauthorized }
  let found = try db.first(
    """
    SELECT (SELECT epoch FROM epochs), last_change, pruned_changes FROM users WHERE id = ?
    """, person.bytes
  ) { row in
    let epoch = try row.nextBytes { $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : nil }
    guard let epoch else { throw DatabaseError(.mismatch, "Invalid epoch in the database.") }
    // A person's ID is random, so a position of one person is invalid for another.
    return ChangeRecord(
      epoch: epoch ^ person.folded, newest: try row.next(), pruned: try row.next())
  }
  guard let found else { throw MemeError.unauthorized }
  return found
}

extension UserID {
  fileprivate var folded: UInt64 {
    withUnsafeBytes(of: uuid.uuid) {
      $0.loadUnaligned(as: UInt64.self) ^ $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
  }
}
