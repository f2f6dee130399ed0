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
      try db.value(
        "SELECT count(*) FROM memes WHERE deleted_at IS NULL AND \(Self.isWanted)", author?.bytes)
        ?? 0
    }
  }

  /// A meme of an export.
  package struct Entry: Sendable {
    package let place: CollectionPlace
    package let id: MemeID
    /// The error if a row of the meme is damaged, or missing.
    package let meme: Result<Meme, any Error>
  }

  /// The next memes, ordered by creation time. Memes with the same time are in the order of lists.
  package func memes(
    of author: UserID?, after place: CollectionPlace, limit: Int
  ) throws -> [Entry] {
    try readers.blockingRead { db in
      let found = try db.all(
        Self.pageQuery, author?.bytes, place.createdAt.millisecondsSince1970,
        place.sequence, limit
      ) { row in
        (
          sequence: try row.next() as Int64, id: try row.nextMemeID(),
          createdAt: try row.nextTimestamp()
        )
      }
      var entries: [Entry] = []
      for meme in found {
        entries.append(
          Entry(
            place: CollectionPlace(createdAt: meme.createdAt, sequence: meme.sequence),
            id: meme.id, meme: try Self.meme(meme.sequence, in: db)))
      }
      return entries
    }
  }

  private static func meme(
    _ sequence: Int64, in db: borrowing Transaction
  ) throws -> Result<Meme, any Error> {
    do {
      let meme = try db.first("\(memeQuery) WHERE memes.seq = ?", sequence) { row in
        try Meme(&row)
      }
      guard let meme else {
        return .failure(DatabaseError(.mismatch, "One of the meme's pictures has no row."))
      }
      return .success(meme)
    } catch let error as DatabaseError where error.code == .mismatch || error.code == .corrupt {
      return .failure(error)
    }
  }

  /// For any viewer: an export has neither their likes nor the sources of remixes.
  private static let memeQuery = selectMeme(AccessPolicy(.anonymous))

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

  /// Without the rows of the pictures, one of which may be missing. `?1` is the author of the exported memes; NULL
  /// exports all.
  static let pageQuery = """
    SELECT memes.seq, memes.id, memes.created_at FROM memes INDEXED BY memes_by_time
    WHERE memes.deleted_at IS NULL AND (memes.created_at, memes.seq) > (?2, ?3) AND \(isWanted)
    ORDER BY memes.created_at, memes.seq LIMIT ?4
    """

  private static let isWanted = "(?1 IS NULL OR memes.author = \(AccessPolicy.asking))"
}
