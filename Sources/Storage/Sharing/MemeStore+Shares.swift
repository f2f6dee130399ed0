package import Memes
import SQL

/// The numbers of shares, in the table `shares` and in the rows of the memes.
extension MemeStore {
  /// Counts one share of a meme. On return, this is durable.
  ///
  /// - Parameters:
  ///   - record: stored together with the count.
  ///   - time: the time of the share.
  /// - Returns: the stored response, if the key was used before. Then nothing is counted.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme.
  package func countShare(
    of id: MemeID, by viewer: Principal, on channel: ShareChannel,
    recording record: IdempotencyRecord?, at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    let policy = AccessPolicy(viewer)
    return try await writer.write { db in
      if let first = try earlierRecord(than: record, at: time, in: db) { return Written(first) }
      let counted: Int64? = try db.value(
        """
        UPDATE memes SET share_count = share_count + 1
        WHERE id = ?2 AND deleted_at IS NULL AND \(policy.sees()) RETURNING seq
        """, policy.person, id.bytes)
      guard let sequence = counted else {
        throw try absence(of: id, for: viewer, in: db)
      }
      try db.run(
        """
        INSERT INTO shares (meme, channel, count) VALUES (?, ?, 1)
        ON CONFLICT (meme, channel) DO UPDATE SET count = shares.count + 1
        """, sequence, channel.rawValue)
      if let record { try insertRecord(record, in: db) }
      return Written(nil, .counted(id))
    }
  }
}
