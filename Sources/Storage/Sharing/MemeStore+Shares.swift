package import Memes
import SQLite

/// The numbers of shares, in `shares` and in the rows of the memes.
extension MemeStore {
  /// Counts one share of a meme. On return, this is durable.
  ///
  /// - Parameters:
  ///   - answer: stored together with the count.
  ///   - time: the time of the share.
  /// - Returns: the stored response, if the key was used before. Then nothing is counted.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme.
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
