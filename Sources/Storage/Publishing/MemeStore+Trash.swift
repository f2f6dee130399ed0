package import Memes
import SQL

extension MemeStore {
  /// Deletes the meme for all viewers. The ID stays taken as long as the deletion is on record.
  ///
  /// If the owner already deleted the meme, an admin can delete it again: then the owner can no longer restore it.
  ///
  /// - Parameters:
  ///   - restorable: whether to keep the meme's files for ``restore(_:by:deletedAfter:recording:)``.
  ///   - entry: written in the same transaction if the meme is not the viewer's own.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme; ``MemeError/versionMismatch`` if the meme has another version than the condition
  ///   requires, checked in the same transaction.
  package func delete(
    _ id: MemeID, if condition: VersionCondition, by viewer: Principal, at time: Timestamp,
    restorable: Bool, recording entry: AuditEntry?
  ) async throws {
    try await writer.write { db in
      let meme = try ownedMeme(id, by: viewer, in: db)
      let isOfOthers = viewer.isAdmin && !meme.isViewers
      guard !meme.isDeleted || isOfOthers else { throw MemeError.gone }
      guard condition.allows(meme.version) else { throw MemeError.versionMismatch }
      let changed = try db.run(
        """
        UPDATE memes SET deleted_at = coalesce(deleted_at, ?1), deleted_by_admin = ?2
        WHERE seq = ?3 AND (deleted_at IS NULL OR deleted_by_admin < ?2)
        """, time.millisecondsSince1970, isOfOthers, meme.sequence)
      guard changed > 0 else { throw MemeError.gone }
      if !meme.isViewers { try record(entry, in: db) }
      // The meme was already hidden, so observers need not know.
      if meme.isDeleted { return Written(()) }
      if restorable { return Written((), .deleted(id), of: meme.author) }
      try erase(meme.sequence, in: db)
      return Written((), .deleted(id), .purged(id), of: meme.author)
    }
  }

  /// Restores a deleted meme unchanged, at its old position in lists. Has no effect if the meme is not deleted, so a
  /// client may repeat a request after it lost the response.
  ///
  /// - Parameters:
  ///   - horizon: memes deleted at this time or earlier stay deleted.
  ///   - entry: written in the same transaction if the meme was deleted and is not the viewer's own.
  /// - Returns: the current meme.
  /// - Throws: ``MemeError/notFound``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer does not own
  ///   the meme; ``MemeError/gone`` if the viewer can no longer restore it. If an admin deleted the meme of another
  ///   user, only admins can.
  package func restore(
    _ id: MemeID, by viewer: Principal, deletedAfter horizon: Timestamp,
    recording entry: AuditEntry?
  ) async throws -> Meme {
    try await writer.write { db in
      let owned = try ownedMeme(id, by: viewer, in: db)
      let restored = try db.run(
        """
        UPDATE memes SET deleted_at = NULL, deleted_by_admin = FALSE
        WHERE seq = ? AND deleted_at > ? AND deleted_by_admin <= ?
        """, owned.sequence, horizon.millisecondsSince1970, viewer.isAdmin)
      guard let meme = try visibleMeme(id, for: viewer, in: db) else { throw MemeError.gone }
      guard restored > 0 else { return Written(meme) }
      if !owned.isViewers { try record(entry, in: db) }
      return Written(meme, .restored(id), of: owned.author)
    }
  }

  /// Purges one batch of memes that were deleted at `horizon` or earlier, oldest first. Only the
  /// deletions stay on record.
  ///
  /// - Returns: the purged memes; empty if nothing is left to purge, or if another server has purged this batch.
  package func purge(
    deletedUpTo horizon: Timestamp, _ batch: PurgeBatch
  ) async throws -> [MemeID] {
    try await writer.write(bytes: batch.bytes) { db in
      var due = try due(before: horizon, batch, in: db)
      let locked = Set(due.map(\.sequence))
      // A meme may have been restored before it was locked. If another server has purged them, those that are due now
      // are not locked.
      if try db.lock(memes: due.map(\.sequence)) {
        due = try self.due(before: horizon, batch, in: db).filter { locked.contains($0.sequence) }
      }
      var purged: [MemeID] = []
      var bytes = 0
      for meme in due {
        bytes += meme.bytes
        if !purged.isEmpty, bytes > batch.bytes { break }
        try erase(meme.sequence, in: db)
        purged.append(meme.id)
      }
      return Written(purged, changes: purged.map(MemeChange.purged))
    }
  }

  private func due(
    before horizon: Timestamp, _ batch: PurgeBatch, in db: borrowing Transaction
  ) throws -> [(sequence: Int64, id: MemeID, bytes: Int)] {
    try db.all(Self.dueQuery, horizon.millisecondsSince1970, batch.count) { row in
      (try row.next(), try row.nextMemeID(), try row.next())
    }
  }

  static let dueQuery = """
    SELECT memes.seq, memes.id,
      (SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures WHERE meme = memes.seq)
    FROM memes INDEXED BY memes_trash WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?
    """
}

/// Erases a deleted meme, except for its ID, author, visibility and time of deletion. They determine which viewers get
/// ``MemeError/gone``.
private func erase(
  _ sequence: Int64, in db: borrowing Transaction
) throws {
  let blobs: [Int64] = try db.column("DELETE FROM pictures WHERE meme = ? RETURNING blob", sequence)
  for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
  try db.run(
    """
    INSERT INTO deleted_memes (id, deleted_at, author, visibility)
    SELECT id, deleted_at, author, visibility FROM memes WHERE seq = ?
    """, sequence)
  try db.run("DELETE FROM shares WHERE meme = ?", sequence)
  try removeWords(of: sequence, in: db)
  try db.run("DELETE FROM memes WHERE seq = ?", sequence)
}
