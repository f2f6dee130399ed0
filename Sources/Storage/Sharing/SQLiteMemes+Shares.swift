package import Memes
import SQLite

/// The numbers of shares, in `shares` and in the rows of the memes.
extension SQLiteMemes: ShareStore {
  package func countShare(
    of id: MemeID, by viewer: Principal, on channel: ShareChannel,
    answering answer: IdempotencyRecord?,
    at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    let policy = AccessPolicy(viewer)
    return try await writer.write { db in
      if let first = try earlierAnswer(than: answer, at: time, in: db) { return Written(first) }
      let counted = try db.first(
        """
        UPDATE memes SET share_count = share_count + 1
        WHERE id = ?2 AND deleted_at IS NULL AND \(policy.sees()) RETURNING seq
        """, policy.person, id.bytes
      ) { row in try row[0] as Int64 }
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
