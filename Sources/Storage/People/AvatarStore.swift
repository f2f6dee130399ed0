package import Memes
package import SQL

/// The avatars that users uploaded, in the tables `users`, `avatars` and `blobs`. Each call is one transaction.
///
/// Reads run on the calling thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct AvatarStore: Sendable {
  private let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified when memes show another avatar of their author.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
  }

  /// Replaces the user's avatar. On return, this is durable.
  ///
  /// - Parameter avatar: `nil` removes the avatar.
  /// - Returns: the changed user.
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  @discardableResult
  package func keep(_ avatar: Avatar?, of person: UserID) async throws -> User {
    let files = avatar?.files ?? [:]
    let bytes = files.values.reduce(0) { $0 + $1.facts.byteCount }
    let changed: User? = try await writer.write(bytes: bytes) { db in
      try db.lock(account: person)
      let version = avatar?.version?.text
      let found = try db.first("SELECT seq, avatar FROM users WHERE id = ?", person.bytes) {
        row in (number: try row[0] as Int64, version: try row[1] as String?)
      }
      guard let (user, former) = found else { return Written(nil) }
      try db.run("UPDATE users SET avatar = ? WHERE seq = ?", version, user)
      // A trigger also deletes their bytes.
      try db.run("DELETE FROM avatars WHERE user = ?", user)
      for (size, file) in files {
        let (facts, blob) = (
          file.facts, try db.insert("INSERT INTO blobs (bytes) VALUES (?) RETURNING id", file.bytes)
        )
        try db.run(
          """
          INSERT INTO avatars (user, edge, format, width, height, byte_count, digest, blob)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """, user, size.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
          facts.byteCount, facts.digest.bytes, blob)
      }
      let now = try UserStore.find("WHERE seq = ?", user, db)?.user
      return Written(now, changes: version == former ? [] : [.many])
    }
    guard let user = changed else { throw MemeError.unauthorized }
    return user
  }

  /// The user with this username, and their avatar if they have one; `nil` if the viewer cannot see the user.
  package func avatar(
    of username: Username, _ size: AvatarSize, for viewer: Principal
  ) async throws -> (user: User, file: PictureFile?)? {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let found = try db.first(
        """
        SELECT \(User.columns) FROM users
        WHERE username = ?2 AND \(policy.sees(person: "users.seq"))
        """, policy.person, username.text
      ) { row in try User(&row) }
      guard let user = found else { return nil }
      guard user.avatar != nil else { return (user, nil) }
      let file = try storedAvatar(
        size, "(SELECT seq FROM users WHERE username = ?)", username.text, in: db)
      return (user, file)
    }
  }
}

/// One picture of a person's avatar; `nil` if it does not exist.
///
/// - Parameter user: an SQL expression for the person's `users.seq`, with one parameter.
func storedAvatar(
  _ size: AvatarSize, _ user: String, _ value: any Bindable,
  in db: borrowing Transaction
) throws -> PictureFile? {
  let found = try db.first(
    """
    SELECT format, width, height, byte_count, digest, blob FROM avatars
    WHERE user = \(user) AND edge = \(size.rawValue)
    """, value
  ) { row in (try PictureFacts(&row), try row.next() as Int64) }
  guard let (facts, blob) = found else { return nil }
  return PictureFile(facts: facts, bytes: try db.blob(table: "blobs", column: "bytes", row: blob))
}
