package import Memes
package import SQL

/// Reads the stored responses to requests with an idempotency key, in the table `retries`, and removes expired ones.
/// The stores of the created items write the responses, in the same transaction as the items.
///
/// Reads run on the caller's thread. Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)``
/// or ``MemeError/storage(_:)``.
package struct IdempotencyStore: Sendable {
  private let readers: any Readers
  private let writer: any Writer

  package init(_ database: any Database) {
    (readers, writer) = (database.readers, database.writer)
  }

  /// The response to the first request with this key; `nil` if there is none, or it has expired.
  package func firstResponse(
    to key: StoredIdempotencyKey, at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    try await readers.read { db in
      try storedRecord(of: key, after: StoredIdempotencyKey.expiry(at: time), in: db)
    }
  }

  /// Removes one batch of expired responses, which contain texts of deleted memes. Without this, they would stay until
  /// the next requests that create something.
  ///
  /// - Returns: the number of removed responses; 0 if nothing is left to remove.
  package func purgeResponses(at time: Timestamp) async throws -> Int {
    try await writer.transaction { db in
      var count = 0
      for _ in 1...16 {
        let removed = try removeExpiredRecords(
          of: nil, before: StoredIdempotencyKey.expiry(at: time), in: db)
        if removed == 0 { break }
        count += removed
      }
      return count
    }
  }
}

/// Begins a transaction that creates an item at this time. Always removes a few expired responses, even without a key.
///
/// - Parameter record: the response that ``insertRecord(_:in:)`` will store; `nil` if the request has no key.
/// - Returns: the stored response for the key. Then the transaction must create nothing.
func earlierRecord(
  than record: IdempotencyRecord?, at time: Timestamp, in db: borrowing Transaction
) throws -> IdempotencyRecord? {
  let expiry = StoredIdempotencyKey.expiry(at: time)
  try removeExpiredRecords(of: record?.key, before: expiry, in: db)
  guard let record else { return nil }
  return try storedRecord(of: record.key, after: expiry, in: db)
}

/// Ends a transaction that created the item of this response.
func insertRecord(
  _ record: IdempotencyRecord, in db: borrowing Transaction
) throws {
  try db.run(
    "INSERT INTO retries (key, request, made, answer, answered_at) VALUES (?, ?, ?, ?, ?)",
    record.key.digest.bytes, record.request.bytes, record.made.bytes, record.response,
    record.at.millisecondsSince1970)
}

/// The response for this key, if it was stored after `expiry`.
private func storedRecord(
  of key: StoredIdempotencyKey, after expiry: Timestamp, in db: borrowing Transaction
) throws -> IdempotencyRecord? {
  try db.first(
    "SELECT request, made, answer, answered_at FROM retries WHERE key = ? AND answered_at > ?",
    key.digest.bytes, expiry.millisecondsSince1970
  ) { row in
    IdempotencyRecord(
      key: key, request: try row.nextDigest(), made: try row.nextUUID(), response: try row.next(),
      at: try row.nextTimestamp())
  }
}

/// Removes expired responses: the one of `key`, and a few of the oldest.
///
/// An insert adds one row and removes up to four, so expired rows disappear with little work for each request. If the
/// clock was set back, rows are only removed later.
///
/// - Returns: the number of removed responses.
@discardableResult
private func removeExpiredRecords(
  of key: StoredIdempotencyKey?, before expiry: Timestamp, in db: borrowing Transaction
) throws -> Int {
  try db.run(
    removalOfExpiredRecords(db.dialect), expiry.millisecondsSince1970, key?.digest.bytes)
}

/// `?1` is the time of expiry, `?2` the key.
///
/// On PostgreSQL, two requests that removed the same rows would wait for each other's transactions.
func removalOfExpiredRecords(_ dialect: Dialect) -> String {
  let oldest =
    switch dialect {
    case .sqlite: "SELECT seq FROM retries ORDER BY seq LIMIT 4"
    case .postgreSQL:
      """
      SELECT seq FROM retries
      WHERE seq IN (SELECT seq FROM retries ORDER BY seq LIMIT 16) AND answered_at <= ?1
      ORDER BY seq LIMIT 4 FOR UPDATE SKIP LOCKED
      """
    }
  return """
    DELETE FROM retries WHERE answered_at <= ?1 AND seq IN (
      SELECT seq FROM retries WHERE key = ?2 UNION ALL SELECT seq FROM (\(oldest)) AS oldest)
    """
}
