package import Bytes
package import Memes
package import SQL

/// Reads the memes of an export, from the tables `memes`, `pictures`, `blobs` and `users`. Each call is a short read of
/// its own on the calling thread, so a running server can continue.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct MemeCollection: Sendable {
  private let readers: any Readers
  private let blobs: Blobs

  /// - Parameter blobs: where the bytes are.
  package init(_ readers: any Readers, _ blobs: Blobs) {
    (self.readers, self.blobs) = (readers, blobs)
  }

  /// The number of memes that are not deleted.
  ///
  /// - Parameter author: counts only the memes of this author; `nil` counts all memes.
  package func count(of author: UserID?) throws -> Int {
    try readers.blockingRead { db in
      try db.first(
        "SELECT count(*) FROM memes WHERE deleted_at IS NULL AND \(Self.isWanted)", author?.bytes
      ) { row in try row[0] } ?? 0
    }
  }

  /// The next memes, ordered by creation time. Memes with the same time are in the order of lists.
  package func memes(
    of author: UserID?, after place: CollectionPlace, limit: Int
  ) throws -> [(place: CollectionPlace, meme: Meme)] {
    try readers.blockingRead { db in
      try db.all(
        Self.pageQuery, author?.bytes, place.createdAt.millisecondsSince1970,
        place.sequence, limit
      ) { row in
        let sequence: Int64 = try row.next()
        let meme = try Meme(&row)
        return (CollectionPlace(createdAt: meme.createdAt, sequence: sequence), meme)
      }
    }
  }

  /// The current meme; `nil` if it was deleted.
  package func meme(_ id: MemeID) throws -> Meme? {
    try readers.blockingRead { db in try visibleMeme(id, for: .admin, in: db) }
  }

  /// See ``MemeStore/file(_:of:at:)-(PictureRole,_,_)``.
  package func file(
    _ role: PictureRole, of id: MemeID, at version: Int
  ) throws -> Bytes {
    let found = try readers.blockingRead { db in
      try placedFile(PictureNumber(role), of: id, at: version, in: db)
    }
    return try blobs.blockingFile(found).bytes
  }

  /// The picture in a box of this version of the meme.
  package func boxedPicture(
    _ index: Int, of id: MemeID, at version: Int
  ) throws -> PictureFile {
    let found = try readers.blockingRead { db in
      try placedFile(.boxed(index), of: id, at: version, in: db)
    }
    return try blobs.blockingFile(found)
  }

  /// The access policy of an admin restricts no rows. `?1` is therefore the author of the exported memes; NULL exports
  /// all.
  static let pageQuery = """
    SELECT memes.seq, \(memeColumns(AccessPolicy(.admin)))
    FROM memes INDEXED BY memes_by_time \(memeParts)
    WHERE memes.deleted_at IS NULL AND (memes.created_at, memes.seq) > (?2, ?3) AND \(isWanted)
    ORDER BY memes.created_at, memes.seq LIMIT ?4
    """

  private static let isWanted = "(?1 IS NULL OR memes.author = \(AccessPolicy.asking))"
}
