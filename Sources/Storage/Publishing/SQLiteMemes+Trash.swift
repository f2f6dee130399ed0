package import Memes
import SQLite

extension SQLiteMemes {
  package func delete(
    _ id: MemeID, if condition: VersionCondition, at time: Timestamp, restorable: Bool,
    recording entry: AuditEntry?
  ) async throws(MemeError) {
    try await write { db throws(MemeError) in
      let deleted = try db.first(
        """
        UPDATE memes SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL RETURNING seq, version
        """, time.millisecondsSince1970, id.bytes
      ) { row throws(SQLiteError) in (sequence: try row[0] as Int64, version: try row[1] as Int) }
      guard let (sequence, version) = deleted else {
        try refuseDeleted(id.bytes, in: db)
        throw .notFound
      }
      // Thrown, it takes the update back.
      guard condition.allows(version) else { throw .versionMismatch }
      try record(entry, in: db)
      if restorable { return Written((), .deleted(id)) }
      try erase(sequence, in: db)
      return Written((), .deleted(id), .purged(id))
    }
  }

  package func restore(
    _ id: MemeID, deletedAfter horizon: Timestamp, recording entry: AuditEntry?
  ) async throws(MemeError) -> Meme {
    try await write { db throws(MemeError) in
      let restored = try db.run(
        Self.restoreStatement, id.bytes, horizon.millisecondsSince1970)
      guard let meme = try visibleMeme(id, in: db) else {
        try refuseDeleted(id.bytes, in: db)
        throw .notFound
      }
      guard restored > 0 else { return Written(meme) }
      try record(entry, in: db)
      return Written(meme, .restored(id))
    }
  }

  static let restoreStatement =
    "UPDATE memes SET deleted_at = NULL WHERE id = ? AND deleted_at > ?"

  package func purge(
    deletedUpTo horizon: Timestamp, _ batch: PurgeBatch
  ) async throws(MemeError) -> [MemeID] {
    try await write(bytes: batch.bytes) { db throws(MemeError) in
      let due = try db.all(Self.dueQuery, horizon.millisecondsSince1970, batch.count) {
        row throws(SQLiteError) in
        (sequence: try row[0] as Int64, id: try row.memeID(at: 1), bytes: try row[2] as Int)
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

  static let dueQuery = """
    SELECT memes.seq, memes.id,
      (SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE meme = memes.seq)
    FROM memes INDEXED BY memes_trash WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?
    """
}

/// Removes everything of a deleted meme but its id.
private func erase(
  _ sequence: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let blobs = try db.all("DELETE FROM pictures WHERE meme = ? RETURNING blob", sequence) {
    row throws(SQLiteError) in try row[0] as Int64
  }
  for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
  try db.run(
    "INSERT INTO deleted_memes (id, deleted_at) SELECT id, deleted_at FROM memes WHERE seq = ?",
    sequence)
  try db.run("DELETE FROM shares WHERE meme = ?", sequence)
  try db.run("DELETE FROM memes WHERE seq = ?", sequence)
}
