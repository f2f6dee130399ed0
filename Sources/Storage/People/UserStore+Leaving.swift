package import Memes
import SQL

/// Deletes accounts.
extension UserStore {
  /// Deletes the account and all data of the user. On return, this is durable. The bytes of pictures are no longer
  /// referenced, and ``purgeDiscarded(_:)`` deletes them later.
  ///
  /// - Parameters:
  ///   - password: `nil` if an admin deletes the account.
  ///   - authority: that of the admin; `nil` if the user deletes the account. The entry of the audit log is written by
  ///     ``withdraw(_:if:atMost:at:by:recording:)``.
  /// - Returns: `false` if there is no account with this password.
  /// - Throws: ``MemeError/forbidden`` if the actor is no longer an admin.
  package func delete(
    _ id: UserID, if password: HashedPassword?, at time: Timestamp,
    by authority: Authority? = nil
  ) async throws -> Bool {
    try await writer.write { db in
      try db.lock(leaving: id, atMost: .max, by: authority?.person)
      guard let person = try number(of: id, if: password, in: db) else { return Written(false) }
      if let admin = authority?.person { _ = try name(ofAdmin: admin, in: db) }
      // What was added after ``withdraw(_:if:atMost:at:by:recording:)`` finished.
      _ = try removeMemes(of: person, atMost: .max, at: time, in: db)
      _ = try removeReactions(of: person, atMost: .max, in: db)
      try removeTemplates(of: person, in: db)
      try removeUploads(of: person, in: db)
      // This also deletes their sessions, follows and blocks.
      try db.run("DELETE FROM users WHERE seq = ?", person)
      return Written(true, .many, .signedOut(id))
    }
  }
}

/// The `users.seq` of a person, if this is the person's password.
///
/// - Parameter password: `nil` for any.
func number(
  of id: UserID, if password: HashedPassword?, in db: borrowing Transaction
) throws -> Int64? {
  try db.value(
    "SELECT seq FROM users WHERE id = ? AND password = coalesce(?, password)", id.bytes,
    password?.encoded)
}

/// Removes some of the person's memes.
///
/// - Returns: the number of removed memes.
func removeMemes(
  of person: Int64, atMost count: Int, at time: Timestamp, in db: borrowing Transaction
) throws -> Int {
  let numbers: [Int64] = try db.column(
    "SELECT seq FROM memes WHERE author = ? LIMIT ?", person, count)
  guard !numbers.isEmpty else { return 0 }
  let array = "[\(numbers.map(String.init).joined(separator: ","))]"
  let memes = "(SELECT CAST(value AS bigint) FROM json_each(?1))"
  try db.lock(removing: array)
  try db.run(
    """
    INSERT INTO discarded_blobs (blob, byte_count)
    SELECT blob, byte_count FROM pictures WHERE meme IN \(memes)
    UNION ALL SELECT blob, byte_count FROM derived_pictures WHERE meme IN \(memes)
    """, array)
  for table in ["pictures", "derived_pictures", "shares"] {
    try db.run("DELETE FROM \(table) WHERE meme IN \(memes)", array)
  }
  // The account may stay, and its clients sync. A trigger records the deletions only if the memes are deleted first.
  try db.run(
    "UPDATE memes SET deleted_at = ?2 WHERE deleted_at IS NULL AND seq IN \(memes)", array,
    time.millisecondsSince1970)
  try db.run(
    """
    INSERT INTO deleted_memes (id, deleted_at, author, visibility)
    SELECT id, deleted_at, author, visibility FROM memes WHERE seq IN \(memes)
    """, array)
  // The stored responses describe the memes.
  try db.run(
    "DELETE FROM retries WHERE made IN (SELECT id FROM memes WHERE seq IN \(memes))", array)
  try removeWords(ofAll: array, in: db)
  return try db.run("DELETE FROM memes WHERE seq IN \(memes)", array)
}

/// Removes some of the follows of and by the person.
///
/// - Returns: the number of removed follows.
func removeFollows(
  of person: Int64, atMost count: Int, in db: borrowing Transaction
) throws -> Int {
  var removed = 0
  for side in ["follower", "followed"] where removed < count {
    removed += try db.run(UserStore.unfollowing(side), person, count - removed)
  }
  return removed
}

private func removeTemplates(
  of person: Int64, in db: borrowing Transaction
) throws {
  try db.run(
    """
    INSERT INTO discarded_blobs (blob, byte_count)
    SELECT blob, byte_count FROM templates WHERE author = ?1
    UNION ALL SELECT thumbnail_blob, thumbnail_byte_count FROM templates WHERE author = ?1
    """, person)
  try db.run(
    "INSERT INTO deleted_templates (id) SELECT id FROM templates WHERE author = ?", person)
  try db.run(
    "DELETE FROM retries WHERE made IN (SELECT id FROM templates WHERE author = ?)", person)
  try db.run("DELETE FROM templates WHERE author = ?", person)
}

private func removeUploads(
  of person: Int64, in db: borrowing Transaction
) throws {
  try db.run(
    """
    INSERT INTO discarded_blobs (blob, byte_count)
    SELECT blob, byte_count FROM uploads WHERE author = ?
    """, person)
  try db.run("DELETE FROM uploads WHERE author = ?", person)
  // No client can continue them from now on. The next purge deletes their chunks.
  try db.run(
    "UPDATE unfinished_uploads SET author = NULL, expires_at = 0 WHERE author = ?", person)
}

extension UserStore {
  /// Deletes one batch of files that nothing refers to.
  ///
  /// - Returns: the number of deleted files; 0 if nothing is left to delete.
  package func purgeDiscarded(_ batch: PurgeBatch) async throws -> Int {
    try await writer.write(bytes: batch.bytes) { db in
      try db.lock(all: .discardedBlobs)
      let due = try db.all(
        "SELECT blob, byte_count FROM discarded_blobs LIMIT ?", batch.count
      ) { row in (blob: try row[0] as Int64, bytes: try row[1] as Int) }
      var (count, bytes) = (0, 0)
      for file in due {
        bytes += file.bytes
        if count > 0, bytes > batch.bytes { break }
        try db.run("DELETE FROM discarded_blobs WHERE blob = ?", file.blob)
        try db.run("DELETE FROM blobs WHERE id = ?", file.blob)
        count += 1
      }
      return Written(count)
    }
  }
}
