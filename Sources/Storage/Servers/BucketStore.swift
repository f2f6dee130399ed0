import Bytes
package import Memes
package import SQL

/// The token buckets that all servers of a PostgreSQL database share, in the table `buckets`.
///
/// By the clock of the database. A commit does not wait for the disk: after a crash of PostgreSQL all buckets are full,
/// as they are after a start of a server that is alone.
package struct BucketStore: SharedBuckets {
  private let writer: any Writer
  private let seal: Digester

  /// - Parameter seal: a keyed digest, so that the table shows neither accounts nor addresses.
  package init(_ database: any Database, seal: @escaping Digester) {
    (writer, self.seal) = (database.writer, seal)
  }

  package func take(_ buckets: [SharedBucket]) async throws -> SharedTaking {
    let buckets = sealed(buckets)
    do {
      return try await transaction { db in
        let taken = try buckets.map { bucket in
          guard let wait = try Self.take(bucket, db) else {
            // Rolls back what was taken from the buckets before.
            throw Rejection(untilFull: try buckets.map { try Self.untilFull($0, db) })
          }
          return wait
        }
        return SharedTaking(isAllowed: true, untilFull: taken)
      }
    } catch let rejection as Rejection {
      return SharedTaking(isAllowed: false, untilFull: rejection.untilFull)
    }
  }

  package func giveBack(_ buckets: [SharedBucket]) async throws {
    let buckets = sealed(buckets)
    try await transaction { db in
      for bucket in buckets {
        try db.run(
          "UPDATE buckets SET full_at = full_at - ? WHERE bucket = ?", bucket.interval,
          bucket.name.bytes)
      }
    }
  }

  package func forget(_ buckets: [SharedBucket]) async throws {
    let buckets = sealed(buckets)
    try await transaction { db in
      for bucket in buckets {
        try db.run("DELETE FROM buckets WHERE bucket = ?", bucket.name.bytes)
      }
    }
  }

  /// A bucket as the table has it; times in microseconds.
  private struct Sealed {
    let name: Digest
    let interval: Int64
    let window: Int64
  }

  private struct Rejection: Error {
    let untilFull: [Duration]
  }

  private func sealed(_ buckets: [SharedBucket]) -> [Sealed] {
    buckets.map { bucket in
      Sealed(
        name: seal(Bytes(bucket.name)), interval: bucket.rate.interval.microseconds,
        window: bucket.rate.window.microseconds)
    }
  }

  private func transaction<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    try await writer.transaction { db in
      try db.post("SET LOCAL synchronous_commit = off")
      return try body(db)
    }
  }

  /// - Returns: the time until the bucket is full; `nil` if it had no token.
  private static func take(_ bucket: Sealed, _ db: borrowing Transaction) throws -> Duration? {
    try db.first(
      """
      INSERT INTO buckets (bucket, full_at) VALUES (?1, \(now) + ?2)
      ON CONFLICT (bucket) DO UPDATE SET full_at = \(now) + \(untilFull("?3")) + ?2
      WHERE \(untilFull("?3")) + ?2 <= ?3
      RETURNING full_at - \(now)
      """, bucket.name.bytes, bucket.interval, bucket.window
    ) { row in .microseconds(try row.next() as Int64) }
  }

  private static func untilFull(_ bucket: Sealed, _ db: borrowing Transaction) throws -> Duration {
    try db.first(
      "SELECT \(untilFull("?2")) FROM buckets WHERE bucket = ?1", bucket.name.bytes, bucket.window
    ) { row in .microseconds(try row.next() as Int64) } ?? .zero
  }

  /// The microseconds until a bucket is full. One that would need more than its window is full: the clock of the
  /// database was set back.
  private static func untilFull(_ window: String) -> String {
    """
    CASE WHEN buckets.full_at > \(now) + \(window) THEN 0 ELSE greatest(buckets.full_at - \(now), 0) END
    """
  }

  /// Microseconds since 1970, the same throughout a statement.
  private static let now = "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS bigint)"
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
