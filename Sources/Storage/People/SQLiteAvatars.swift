package import Memes
package import SQLite

/// Pictures of people in SQLite, in the tables `users`, `avatars` and `blobs`. Reads run on the caller's thread, writes on the
/// writer's.
package struct SQLiteAvatars: AvatarStore {
  private let writer: Writer
  private let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  package func keep(_ avatar: Avatar?, of person: UserID) async throws(MemeError) -> User? {
    let files = avatar?.files ?? [:]
    let bytes = files.values.reduce(0) { $0 + $1.facts.byteCount }
    return try await writer.transaction(bytes: bytes) { db throws(MemeError) in
      let found: Int64? = try db.first(
        "UPDATE users SET avatar = ? WHERE id = ? RETURNING seq", avatar?.version?.text,
        person.bytes
      ) { row throws(SQLiteError) in try row[0] }
      guard let user = found else { return nil }
      // Their bytes go with them.
      try db.run("DELETE FROM avatars WHERE user = ?", user)
      for (size, file) in files {
        let (facts, blob) = (
          file.facts, try db.insert("INSERT INTO blobs (bytes) VALUES (?)", file.bytes)
        )
        try db.run(
          """
          INSERT INTO avatars (user, edge, format, width, height, byte_count, digest, blob)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """, user, size.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
          facts.byteCount, facts.digest.bytes, blob)
      }
      return try SQLiteUsers.find("WHERE seq = ?", user, db)?.user
    }
  }

  package func avatar(
    of username: Username, _ size: AvatarSize
  ) throws(MemeError) -> (user: User, file: PictureFile?)? {
    try readers.read { db throws(MemeError) in
      let found = try SQLiteUsers.find("WHERE username = ?", username.text, db)?.user
      guard let user = found else { return nil }
      guard user.avatar != nil else { return (user, nil) }
      let file = try storedAvatar(
        size, "(SELECT seq FROM users WHERE username = ?)", username.text, in: db)
      return (user, file)
    }
  }
}

/// One picture of a person; `nil` where there is none.
///
/// - Parameter user: an expression for their number, with one parameter.
func storedAvatar(
  _ size: AvatarSize, _ user: String, _ value: any Bindable,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> PictureFile? {
  let found = try db.first(
    """
    SELECT format, width, height, byte_count, digest, blob FROM avatars
    WHERE user = \(user) AND edge = \(size.rawValue)
    """, value
  ) { row throws(SQLiteError) in (try PictureFacts(row, at: 0), try row[5] as Int64) }
  guard let (facts, blob) = found else { return nil }
  return PictureFile(facts: facts, bytes: try db.blob(table: "blobs", column: "bytes", row: blob))
}
