package import Memes
package import SQLite

/// Answers that are kept for requests that come again, in the table `retries`. Reads run on the caller's thread.
package struct SQLiteRetries: RetryStore {
  private let readers: Readers

  package init(_ database: Database) { readers = database.readers }

  package func firstAnswer(
    to key: RetryKey, at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    try readers.read { db throws(MemeError) in
      try keptAnswer(to: key, after: RetryKey.expiry(at: time), in: db)
    }
  }
}

/// Begins a transaction that makes something at this time: with keys or without, a few expired answers go.
///
/// - Parameter answer: what ``insertAnswer(_:in:)`` will keep; `nil` where the request came without a key.
/// - Returns: the answer that the key has already. Then nothing may be made.
func earlierAnswer(
  than answer: FirstAnswer?, at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> FirstAnswer? {
  let expiry = RetryKey.expiry(at: time)
  try removeExpiredAnswers(to: answer?.key, before: expiry, in: db)
  guard let answer else { return nil }
  return try keptAnswer(to: answer.key, after: expiry, in: db)
}

/// Ends a transaction that made what the answer tells of.
func insertAnswer(
  _ first: FirstAnswer, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "INSERT INTO retries (key, request, made, answer, answered_at) VALUES (?, ?, ?, ?, ?)",
    first.key.digest.bytes, first.request.bytes, first.made.bytes, first.answer,
    first.at.millisecondsSince1970)
}

/// The answer of this key that was given after `expiry`.
private func keptAnswer(
  to key: RetryKey, after expiry: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> FirstAnswer? {
  try db.first(
    "SELECT request, made, answer, answered_at FROM retries WHERE key = ? AND answered_at > ?",
    key.digest.bytes, expiry.millisecondsSince1970
  ) { row throws(SQLiteError) in
    FirstAnswer(
      key: key, request: try row.digest(at: 0), made: try row.uuid(at: 1), answer: try row[2],
      at: try row.timestamp(at: 3))
  }
}

/// Removes expired answers: that of `key`, and a few of the oldest.
///
/// An insert adds one row and removes up to four, so that what has expired dwindles without ever being a burden. A clock
/// that was set back only delays this.
private func removeExpiredAnswers(
  to key: RetryKey?, before expiry: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(removalOfExpiredAnswers, expiry.millisecondsSince1970, key?.digest.bytes)
}

let removalOfExpiredAnswers = """
  DELETE FROM retries WHERE answered_at <= ?
    AND (key = ? OR seq IN (SELECT seq FROM retries ORDER BY seq LIMIT 4))
  """
