package import Bytes
package import Memes
package import SQLite

/// What ``CollectingMemes`` needs, from the tables `memes`, `pictures`, `blobs` and `users`.
package struct SQLiteCollection: MemeCollection {
  private let readers: Readers

  package init(_ readers: Readers) { self.readers = readers }

  package func count(of author: UserID?) throws(MemeError) -> Int {
    try readers.read { db throws(MemeError) in
      try db.first(
        "SELECT count(*) FROM memes WHERE deleted_at IS NULL AND \(Self.isWanted)", author?.bytes
      ) { row throws(SQLiteError) in try row[0] } ?? 0
    }
  }

  package func memes(
    of author: UserID?, after place: CollectionPlace, limit: Int
  ) throws(MemeError) -> [(place: CollectionPlace, meme: Meme)] {
    try readers.read { db throws(MemeError) in
      try db.all(
        Self.pageQuery, author?.bytes, place.createdAt.millisecondsSince1970,
        place.sequence, limit
      ) { row throws(SQLiteError) in
        let meme = try Meme(row)
        return (CollectionPlace(createdAt: meme.createdAt, sequence: try row[0]), meme)
      }
    }
  }

  package func meme(_ id: MemeID) throws(MemeError) -> Meme? {
    try readers.read { db throws(MemeError) in try visibleMeme(id, for: .admin, in: db) }
  }

  package func file(
    _ role: PictureRole, of id: MemeID, at version: Int
  ) throws(MemeError) -> Bytes {
    try readers.read { db throws(MemeError) in
      try storedFile(role, of: id, at: version, in: db)
    }
  }

  /// The columns of an admin's view do not look at who asks: `?1` is whose memes are wanted.
  static let pageQuery = """
    SELECT memes.seq, \(memeColumns(Sight(.admin)))
    FROM memes INDEXED BY memes_by_time \(memeParts)
    WHERE memes.deleted_at IS NULL AND (memes.created_at, memes.seq) > (?2, ?3) AND \(isWanted)
    ORDER BY memes.created_at, memes.seq LIMIT ?4
    """

  private static let isWanted = "(?1 IS NULL OR memes.author = \(Sight.asking))"
}
