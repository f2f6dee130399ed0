package import Memes
import SQL

/// Deletes accounts.
extension UserStore {
  /// Deletes the account and all data of the user. On return, this is durable. The bytes of pictures are no longer
  /// referenced, and ``purgeDiscarded(_:)`` deletes them later.
  ///
  /// - Parameters:
  ///   - password: `nil` if an admin deletes the account.
  ///   - entry: stored together with the deletion; `nil` if the user deletes the account.
  /// - Returns: `false` if there is no account with this password.
  /// - Throws: ``MemeError/forbidden`` if the actor of the entry is no longer an admin.
  package func delete(
    _ id: UserID, if password: HashedPassword?, at time: Timestamp,
    recording entry: AuditEntry? = nil
  ) async throws -> Bool {
    try await writer.write { db in
      try db.lock(leaving: id, atMost: .max, by: entry?.authority.person)
      guard let person = try number(of: id, if: password, in: db) else { return Written(false) }
      try record(entry, in: db)
      try db.lock(memesOf: person)
      // Reactions and comments that were added after ``withdraw(_:if:atMost:)`` finished.
      _ = try removeReactions(of: person, atMost: .max, in: db)
      try removeMemes(of: person, at: time, in: db)
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
  try db.first(
    "SELECT seq FROM users WHERE id = ? AND password = coalesce(?, password)", id.bytes,
    password?.encoded
  ) { row in try row[0] }
}

private func removeMemes(
  of person: Int64, at time: Timestamp, in db: borrowing Transaction
) throws {
  let memes = "(SELECT seq FROM memes WHERE author = ?1)"
  try db.run(
    """
    INSERT INTO discarded_blobs (blob, byte_count)
    SELECT blob, byte_count FROM pictures WHERE meme IN \(memes)
    UNION ALL SELECT blob, byte_count FROM derived_pictures WHERE meme IN \(memes)
    """, person)
  for table in ["pictures", "derived_pictures", "shares"] {
    try db.run("DELETE FROM \(table) WHERE meme IN \(memes)", person)
  }
  try db.run(
    """
    INSERT INTO deleted_memes (id, deleted_at, author, visibility)
    SELECT id, coalesce(deleted_at, ?), author, visibility FROM memes WHERE author = ?
    """, time.millisecondsSince1970, person)
  // The stored responses describe the memes.
  try db.run(
    "DELETE FROM retries WHERE made IN (SELECT id FROM memes WHERE author = ?)", person)
  try removeWords(ofAll: person, in: db)
  try db.run("DELETE FROM memes WHERE author = ?", person)
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
