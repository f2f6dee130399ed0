package import Memes
import SQL

extension MemeArchive {
  /// The next users with an avatar, ordered by sequence number.
  ///
  /// A user whose avatar cannot be read is included, with its ``ArchivedAvatar/damage``.
  package func avatars(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedAvatar] {
    try readers.blockingRead { db in
      let sequences: [Int64] = try db.column(
        "SELECT DISTINCT user FROM avatars WHERE user > ? AND user <= ? ORDER BY user LIMIT ?",
        sequence, end, limit)
      var avatars: [ArchivedAvatar] = []
      for sequence in sequences { avatars.append(archivedAvatar(sequence, in: db)) }
      return avatars
    }
  }

  /// The row and the bytes of an avatar, from one snapshot; `nil` if it was removed during the check.
  package func picture(
    _ size: AvatarSize, ofAvatar sequence: Int64
  ) throws -> PictureFile? {
    let placed = try readers.blockingRead { db in
      try placedAvatar(size, "?", sequence, in: db)
    }
    return try placed.map(blobs.checkedFile)
  }
}

/// The avatar pictures of one person. A row that cannot be read is reported as damage of this person only.
private func archivedAvatar(
  _ sequence: Int64, in db: borrowing Transaction
) -> ArchivedAvatar {
  do {
    let found = try db.all(
      """
      SELECT edge, EXISTS (SELECT 1 FROM blobs WHERE blobs.id = avatars.blob) FROM avatars
      WHERE user = ?
      """, sequence
    ) { row in
      guard let size = AvatarSize(rawValue: try row.next()) else {
        throw DatabaseError(.mismatch, "Unknown picture size in the database.")
      }
      return (size, try row.next() as Bool)
    }
    return ArchivedAvatar(
      sequence: sequence, files: Dictionary(found) { first, _ in first }, damage: nil)
  } catch {
    return ArchivedAvatar(sequence: sequence, files: [:], damage: error.reason)
  }
}
