package import Memes
import SQLite

/// What goes when somebody leaves: everything at once but the bytes of pictures, which nothing refers to any more.
extension SQLiteUsers {
  package func delete(
    _ id: UserID, if password: HashedPassword, at time: Timestamp
  ) async throws(MemeError) -> Bool {
    try await writer.write { db throws(MemeError) in
      guard let person = try number(of: id, if: password, in: db) else { return Written(false) }
      // What they did since ``withdraw(_:if:atMost:)`` was done.
      _ = try removeMarks(of: person, atMost: .max, in: db)
      try removeMemes(of: person, at: time, in: db)
      try removeTemplates(of: person, in: db)
      try removeUploads(of: person, in: db)
      // Their sessions, and whom they follow and block, go with them.
      try db.run("DELETE FROM users WHERE seq = ?", person)
      return Written(true, .many, .signedOut(id))
    }
  }
}

/// The `users.seq` of a person who has this password.
func number(
  of id: UserID, if password: HashedPassword, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64? {
  try db.first(
    "SELECT seq FROM users WHERE id = ? AND password = ?", id.bytes, password.encoded
  ) { row throws(SQLiteError) in try row[0] }
}

private func removeMemes(
  of person: Int64, at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
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
  // They tell what the memes were like.
  try db.run(
    "DELETE FROM retries WHERE made IN (SELECT id FROM memes WHERE author = ?)", person)
  try removeWords(ofAll: person, in: db)
  try db.run("DELETE FROM memes WHERE author = ?", person)
}

private func removeTemplates(
  of person: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
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
  of person: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    """
    INSERT INTO discarded_blobs (blob, byte_count)
    SELECT blob, byte_count FROM uploads WHERE author = ?
    """, person)
  try db.run("DELETE FROM uploads WHERE author = ?", person)
  // Nobody can go on with them from now on, and the next purge takes their pieces.
  try db.run(
    "UPDATE unfinished_uploads SET author = NULL, expires_at = 0 WHERE author = ?", person)
}

extension SQLiteUsers: DiscardStore {
  package func purgeDiscarded(_ batch: PurgeBatch) async throws(MemeError) -> Int {
    try await writer.write(bytes: batch.bytes) { db throws(MemeError) in
      let due = try db.all(
        "SELECT blob, byte_count FROM discarded_blobs LIMIT ?", batch.count
      ) { row throws(SQLiteError) in (blob: try row[0] as Int64, bytes: try row[1] as Int) }
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
