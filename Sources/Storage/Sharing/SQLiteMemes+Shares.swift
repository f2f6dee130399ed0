package import Memes
import SQLite

/// How often memes were shared, in `shares` and in their own rows.
extension SQLiteMemes: ShareStore {
  package func countShare(
    of id: MemeID, by viewer: Viewer, on channel: ShareChannel, answering answer: FirstAnswer?,
    at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    let sight = Sight(viewer)
    return try await writer.write { db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: time, in: db) { return Written(first) }
      let counted = try db.first(
        """
        UPDATE memes SET share_count = share_count + 1
        WHERE id = ?2 AND deleted_at IS NULL AND \(sight.sees()) RETURNING seq
        """, sight.person, id.bytes
      ) { row throws(SQLiteError) in try row[0] as Int64 }
      guard let sequence = counted else {
        throw try absence(of: id, for: viewer, in: db)
      }
      try db.run(
        """
        INSERT INTO shares (meme, channel, count) VALUES (?, ?, 1)
        ON CONFLICT (meme, channel) DO UPDATE SET count = count + 1
        """, sequence, channel.rawValue)
      if let answer { try insertAnswer(answer, in: db) }
      return Written(nil, .counted(id))
    }
  }
}
