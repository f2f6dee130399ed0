package import Memes
package import SQL

/// The avatars that users uploaded, in the tables `users`, `avatars` and `blobs`. Each call is one transaction.
///
/// Reads run on the calling thread, writes on the writer thread. Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct AvatarStore: Sendable {
  private let writer: ObservedWriter
  private let readers: any Readers
  private let blobs: Blobs

  /// - Parameter observers: notified when memes show another avatar of their author.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    (writer, readers) = (ObservedWriter(database, observers: observers), database.readers)
    blobs = database.blobs
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
    var new: [(size: AvatarSize, facts: PictureFacts, blob: NewBlob)] = []
    for (size, file) in files {
      new.append((size, file.facts, try await blobs.prepare(file.bytes)))
    }
    let changed: User? = try await writer.write(bytes: bytes) { [new] db in
      try db.lock(account: person)
      let version = avatar?.version?.text
      let found = try db.first("SELECT seq, avatar FROM users WHERE id = ?", person.bytes) {
        row in (number: try row[0] as Int64, version: try row[1] as String?)
      }
      guard let (user, former) = found else { return Written(nil) }
      try db.run("UPDATE users SET avatar = ? WHERE seq = ?", version, user)
      // A trigger also deletes their bytes.
      try db.run("DELETE FROM avatars WHERE user = ?", user)
      for (size, facts, prepared) in new {
        let blob = try prepared.insert(in: db)
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
  ) async throws -> (user: User, file: StoredPictureFile?)? {
    let policy = AccessPolicy(viewer)
    let placed = try await readers.read { db in
      let found = try db.first(
        """
        SELECT \(User.columns) FROM users
        WHERE username = ?2 AND \(policy.sees(person: "users.seq"))
        """, policy.person, username.text
      ) { row in try User(&row) }
      guard let user = found else { return nil as (user: User, file: PlacedFile?)? }
      guard user.avatar != nil else { return (user, nil) }
      let file = try placedAvatar(
        size, "(SELECT seq FROM users WHERE username = ?)", username.text, in: db)
      return (user, file)
    }
    guard let (user, file) = placed else { return nil }
    guard let file else { return (user, nil) }
    return (user, blobs.file(file))
  }
}

/// One picture of a person's avatar; `nil` if it does not exist.
///
/// - Parameter user: an SQL expression for the person's `users.seq`, with one parameter.
func placedAvatar(
  _ size: AvatarSize, _ user: String, _ value: any Bindable,
  in db: borrowing Transaction
) throws -> PlacedFile? {
  let found = try db.first(
    """
    SELECT format, width, height, byte_count, digest, blob FROM avatars
    WHERE user = \(user) AND edge = \(size.rawValue)
    """, value
  ) { row in (try PictureFacts(&row), try row.next() as Int64) }
  return try found.map { facts, blob in try PlacedFile(facts, blob, in: db) }
}
