package import Memes
import SQL

extension EventStore {
  /// How many events a step records at most.
  private static let stepCount = 256
  /// How many numbers of memes a step covers at most, because few of them may match.
  private static let stepNumbers: Int64 = 10_000

  /// Records the next matching memes of the connection's mappings that are sent again. Does nothing if the sender gets
  /// no events (``next(of:at:)``): thousands of them would wait for the next one.
  ///
  /// - Parameter newID: makes a random ID.
  /// - Returns: whether there was something to do.
  package func reload(
    _ connection: DueConnection, at time: Timestamp, newID: @escaping @Sendable () -> EventID
  ) async throws -> Bool {
    let step = try await readers.read { db in try Self.step(of: connection, in: db) }
    guard let step else { return false }
    return try await writer.transaction { db in
      // Another call of `reload` may have begun again, and the terms may have changed.
      let moved = try db.run(
        """
        UPDATE mappings SET reloaded = CASE WHEN ?1 < reload_until THEN ?1 END,
          reload_until = CASE WHEN ?1 < reload_until THEN reload_until END
        WHERE seq = ?2 AND reloaded = ?3
        """, step.end, step.mapping, step.start)
      guard moved > 0 else { return true }
      for meme in step.memes {
        try db.run(
          """
          INSERT INTO events (id, connection, mapping, kind, subject, is_reload, happened_at)
          VALUES (?, ?, ?, ?, ?, TRUE, ?)
          """,
          newID().bytes, connection.number, step.mapping, EventKind.memeCreated.number, meme.bytes,
          time.millisecondsSince1970)
      }
      return true
    }
  }

  /// Whether ``reload(_:at:newID:)`` has something to do.
  func isReloading(_ connection: DueConnection) async throws -> Bool {
    try await readers.read { db in try Self.step(of: connection, in: db) } != nil
  }

  private struct Step: Sendable {
    let mapping: Int64
    /// The numbers of the memes after which it begins, and with which it ends.
    let start: Int64
    let end: Int64
    let memes: [MemeID]
  }

  private static func step(
    of connection: DueConnection, in db: borrowing Transaction
  ) throws -> Step? {
    let mapping = try db.first(
      """
      SELECT m.seq, m.reloaded, m.reload_until FROM mappings AS m JOIN connections AS c ON c.seq = m.connection
      WHERE m.connection = ? AND m.reloaded IS NOT NULL AND c.state = 0 AND c.secret = ? AND c.url = ?
      ORDER BY m.seq LIMIT 1
      """, connection.number, connection.secret, connection.url.text
    ) { row in
      (
        number: try row.next() as Int64, start: try row.next() as Int64,
        end: try row.next() as Int64
      )
    }
    guard let mapping else { return nil }
    let windowEnd = min(mapping.end, mapping.start + stepNumbers)
    let memes = try db.all(
      reloadQuery, mapping.number, mapping.start, windowEnd, stepCount
    ) { row in (number: try row.next() as Int64, id: try row.nextMemeID()) }
    let last = memes.count == stepCount ? memes.last?.number : nil
    return Step(
      mapping: mapping.number, start: mapping.start, end: last ?? windowEnd,
      memes: memes.map(\.id))
  }

  static let reloadQuery = """
    SELECT memes.seq, memes.id FROM wanted_memes JOIN memes ON memes.seq = wanted_memes.meme
    WHERE wanted_memes.mapping = ? AND memes.seq > ? AND memes.seq <= ? ORDER BY memes.seq LIMIT ?
    """
}
