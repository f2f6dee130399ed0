package import Memes
package import SQLite

/// Pictures of people in SQLite, in the tables `users`, `avatars` and `blobs`. Reads run on the caller's thread, writes on the
/// writer's.
package struct SQLiteAvatars: AvatarStore {
  private let writer: ObservedWriter
  private let readers: Readers

  /// - Parameter observers: hear that memes show another picture of their author.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
  }

  package func keep(_ avatar: Avatar?, of person: UserID) async throws(MemeError) -> User? {
    let files = avatar?.files ?? [:]
    let bytes = files.values.reduce(0) { $0 + $1.facts.byteCount }
    return try await writer.write(bytes: bytes) { db throws(MemeError) in
      let version = avatar?.version?.text
      let found = try db.first("SELECT seq, avatar FROM users WHERE id = ?", person.bytes) {
        row throws(SQLiteError) in (number: try row[0] as Int64, version: try row[1] as String?)
      }
      guard let (user, former) = found else { return Written(nil) }
      try db.run("UPDATE users SET avatar = ? WHERE seq = ?", version, user)
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
      let now = try SQLiteUsers.find("WHERE seq = ?", user, db)?.user
      return Written(now, changes: version == former ? [] : [.many])
    }
  }

  package func avatar(
    of username: Username, _ size: AvatarSize, for viewer: Viewer
  ) throws(MemeError) -> (user: User, file: PictureFile?)? {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      let found = try db.first(
        """
        SELECT \(User.columns) FROM users
        WHERE username = ?2 AND \(sight.sees(person: "users.seq"))
        """, sight.person, username.text
      ) { row throws(SQLiteError) in try User(row) }
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
