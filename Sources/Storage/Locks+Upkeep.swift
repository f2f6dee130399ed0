import Bytes
import Memes
import SQL

// The locks of purges and caches, and of counts without an account: decision 0094.

extension Transaction {
  /// What a lock of ``lock(all:)`` stands for.
  enum Common: String {
    /// The number of templates without an account.
    case anonymousTemplates = "templates"
    /// Bytes that nothing refers to.
    case discardedBlobs = "discarded blobs"
    /// The likes, favorites and comments of purged memes.
    case discardedReactions = "discarded reactions"
  }

  /// Locks something that no row stands for, until the end of the transaction.
  func lock(all what: Common) throws { try lock(named: what.rawValue) }

  /// Locks the number of anonymous reports on a subject.
  func lock(anonymousReportsOn subject: [UInt8]) throws {
    try lock(named: "reports \(Hexadecimal.text(of: subject))")
  }

  func lock(named name: String) throws {
    try postLock("SELECT pg_advisory_xact_lock(hashtextextended(?, 0)) IS NULL", name)
  }

  /// Locks the account of the author of a row, whose bytes the row counts for.
  func lock(authorsOf table: String, _ id: [UInt8]) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq = (SELECT author FROM \(table) WHERE id = ?)
      FOR NO KEY UPDATE
      """, id)
  }

  /// Locks the accounts of the authors of purged memes whose records will be deleted.
  func lockAuthors(ofDeletedUpTo horizon: Timestamp, atMost count: Int) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq IN (
        SELECT author FROM changes WHERE meme IN (
          SELECT id FROM deleted_memes WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?))
      ORDER BY seq FOR NO KEY UPDATE
      """, horizon.millisecondsSince1970, count)
  }

  /// Locks the accounts of the authors of expired uploads.
  func lockAuthors(ofUploadsExpiredAt time: Timestamp, atMost count: Int) throws {
    guard mustLock else { return }
    let expired = ["uploads", "unfinished_uploads"].map { table in
      """
      SELECT author FROM (
        SELECT author FROM \(table) WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2) AS \(table)
      """
    }
    try postLock(
      """
      SELECT seq FROM users WHERE seq IN (\(expired.joined(separator: " UNION ALL ")))
      ORDER BY seq FOR NO KEY UPDATE
      """, time.millisecondsSince1970, count)
  }

  /// Locks a meme without its author, for a transaction that locks no account.
  func lock(only meme: MemeID) throws {
    try postLock("SELECT seq FROM memes WHERE id = ? FOR NO KEY UPDATE", meme.bytes)
  }

  /// Prevents the deletion of a row.
  func keep(_ table: String, _ id: [UInt8]) throws {
    try postLock("SELECT seq FROM \(table) WHERE id = ? FOR KEY SHARE", id)
  }
}
