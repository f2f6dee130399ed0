package import Memes
import SQLite

/// Answers that are kept for requests that come again, in the table `retries`.
extension SQLiteMemes {
  package func firstAnswer(
    to key: RetryKey, at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    try readers.read { db throws(MemeError) in
      try keptAnswer(to: key, after: RetryKey.expiry(at: time), in: db)
    }
  }
}

/// The answer of this key that was given after `expiry`.
func keptAnswer(
  to key: RetryKey, after expiry: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> FirstAnswer? {
  try db.first(
    "SELECT request, meme, answer, answered_at FROM retries WHERE key = ? AND answered_at > ?",
    key.digest.bytes, expiry.millisecondsSince1970
  ) { row throws(SQLiteError) in
    FirstAnswer(
      key: key, request: try row.digest(at: 0), meme: try row.memeID(at: 1), answer: try row[2],
      at: try row.timestamp(at: 3))
  }
}

func insertAnswer(
  _ first: FirstAnswer, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    "INSERT INTO retries (key, request, meme, answer, answered_at) VALUES (?, ?, ?, ?, ?)",
    first.key.digest.bytes, first.request.bytes, first.meme.bytes, first.answer,
    first.at.millisecondsSince1970)
}

/// Removes expired answers: that of `key`, and a few of the oldest.
///
/// An insert adds one row and removes up to four, so that what has expired dwindles without ever being a burden. A clock
/// that was set back only delays this.
func removeExpiredAnswers(
  to key: RetryKey?, before expiry: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(removalOfExpiredAnswers, expiry.millisecondsSince1970, key?.digest.bytes)
}

let removalOfExpiredAnswers = """
  DELETE FROM retries WHERE answered_at <= ?
    AND (key = ? OR seq IN (SELECT seq FROM retries ORDER BY seq LIMIT 4))
  """
