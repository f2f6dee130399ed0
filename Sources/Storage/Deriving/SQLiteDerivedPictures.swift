package import Memes
package import SQLite

/// Derived pictures in SQLite, in the tables `derived_pictures` and `blobs`: no more bytes than there is room for.
///
/// Triggers keep the sum of their bytes in `totals`, remove the bytes with the row, and the rows with what they are of.
/// Reads run on the caller's thread, writes on the writer's.
package struct SQLiteDerivedPictures: DerivedPictureStore {
  /// So that nobody who asks for one width after the other fills the room, or makes a meme slow to delete.
  private static let maximumOfOneMeme = 32

  private let writer: Writer
  private let readers: Readers
  private let capacityBytes: Int
  private let uses = RecentUses()

  /// - Parameter capacityBytes: of all derived pictures together; 0 where none are to be kept.
  package init(_ database: Database, capacityBytes: Int) {
    (writer, readers, self.capacityBytes) = (database.writer, database.readers, capacityBytes)
  }

  package func find(
    _ wish: PictureWish, of id: MemeID, for viewer: Viewer
  ) async throws(MemeError) -> DerivedPicture {
    try readers.read { db throws(MemeError) in
      guard let image = try storedImage(of: id, for: viewer, in: db) else {
        throw try absence(of: id, for: viewer, in: db)
      }
      guard let derivation = wish.derivation(of: image.facts) else {
        return .image(try picture(image.facts, image.blob, of: image, in: db))
      }
      let key = RecentUses.Picture(image.meme, derivation)
      guard let found = try storedDerived(key, in: db) else {
        return .missing(
          DerivedPictureKey(meme: id, version: image.version, derivation: derivation),
          image.visibility)
      }
      uses.note(key)
      return .kept(try picture(found.facts, found.blob, of: image, in: db))
    }
  }

  package func keep(
    _ file: PictureFile, as key: DerivedPictureKey
  ) async throws(MemeError) -> Bool {
    let facts = file.facts
    // One picture must not take the place of most others. A row is found by what it holds, so it must hold that.
    guard facts.byteCount <= capacityBytes / 8, facts.size.width == key.derivation.size.width,
      facts.format == PictureFormat(key.derivation.format)
    else { return false }
    let used = uses.take()
    return try await writer.transaction(bytes: facts.byteCount) {
      [capacityBytes] db throws(MemeError) in
      guard let meme = try sequence(of: key.meme, version: key.version, in: db) else {
        return false
      }
      let picture = RecentUses.Picture(meme, key.derivation)
      for picture in used { try db.run(useStatement, picture.meme, picture.width, picture.format) }
      if try storedDerived(picture, in: db) != nil { return true }
      while try count(of: meme, in: db) >= Self.maximumOfOneMeme {
        try db.run(evictionFromMeme, meme)
      }
      while try keptBytes(in: db) + facts.byteCount > capacityBytes {
        // Where nothing is left the sum is wrong, and no room is better than one without bound.
        guard try db.run(eviction) > 0 else { return false }
      }
      try insert(file, as: picture, in: db)
      return true
    }
  }

  /// Lets pictures give way until there is no more than there is room for: for a start with less room than there was.
  ///
  /// In short transactions, each as durable as any.
  package func trim() async throws(MemeError) {
    var isOver = false
    while !isOver {
      isOver = try await writer.transaction { [capacityBytes] db throws(MemeError) in
        for _ in 0..<Self.maximumOfOneMeme {
          guard try keptBytes(in: db) > capacityBytes, try db.run(eviction) > 0 else {
            return true
          }
        }
        return false
      }
    }
  }
}

extension RecentUses.Picture {
  fileprivate init(_ meme: Int64, _ derivation: Derivation) {
    self.init(meme: meme, width: derivation.size.width, format: derivation.format.rawValue)
  }
}

/// A meme's own image, and what goes for all that is derived of it.
private struct StoredImage {
  let facts: PictureFacts
  let blob: Int64
  let version: Int
  let meme: Int64
  let visibility: Visibility
}

private let imageQuery = SightedText { sight in
  """
  SELECT pictures.format, pictures.width, pictures.height, pictures.byte_count, pictures.digest, pictures.blob,
    memes.version, memes.seq, memes.visibility
  FROM memes JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 1
  WHERE memes.id = ?2 AND memes.deleted_at IS NULL AND \(sight.sees())
  """
}

private func storedImage(
  of id: MemeID, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> StoredImage? {
  let sight = Sight(viewer)
  return try db.first(imageQuery[sight], sight.person, id.bytes) { row throws(SQLiteError) in
    StoredImage(
      facts: try PictureFacts(row, at: 0), blob: try row[5], version: try row[6], meme: try row[7],
      visibility: try row.visibility(at: 8))
  }
}

private func picture(
  _ facts: PictureFacts, _ blob: Int64, of image: StoredImage,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> StoredPicture {
  let bytes = try db.blob(table: "blobs", column: "bytes", row: blob)
  return StoredPicture(
    file: PictureFile(facts: facts, bytes: bytes), version: image.version,
    visibility: image.visibility)
}

private func storedDerived(
  _ picture: RecentUses.Picture, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> (facts: PictureFacts, blob: Int64)? {
  try db.first(derivedQuery, picture.meme, picture.width, picture.format) {
    row throws(SQLiteError) in (try PictureFacts(row, at: 0), try row[5])
  }
}

let derivedQuery = """
  SELECT format, width, height, byte_count, digest, blob FROM derived_pictures
  WHERE meme = ? AND width = ? AND format = ?
  """

private func sequence(
  of id: MemeID, version: Int, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64? {
  try db.first(
    "SELECT seq FROM memes WHERE id = ? AND version = ? AND deleted_at IS NULL", id.bytes, version
  ) { row throws(SQLiteError) in try row[0] }
}

private func count(
  of meme: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int {
  try db.first("SELECT count(*) FROM derived_pictures WHERE meme = ?", meme) {
    row throws(SQLiteError) in try row[0]
  } ?? 0
}

private func keptBytes(in db: borrowing Transaction<MemeError>) throws(MemeError) -> Int {
  try db.first("SELECT derived_bytes FROM totals WHERE id = 1") { row throws(SQLiteError) in
    try row[0]
  } ?? 0
}

/// The next number of a use.
private let nextUse = "(SELECT coalesce(max(last_use), 0) + 1 FROM derived_pictures)"

private let useStatement = """
  UPDATE derived_pictures SET last_use = \(nextUse) WHERE meme = ? AND width = ? AND format = ?
  """

let eviction = """
  DELETE FROM derived_pictures WHERE (meme, width, format) =
    (SELECT meme, width, format FROM derived_pictures ORDER BY last_use LIMIT 1)
  """

private let evictionFromMeme = """
  DELETE FROM derived_pictures WHERE (meme, width, format) =
    (SELECT meme, width, format FROM derived_pictures WHERE meme = ? ORDER BY last_use LIMIT 1)
  """

private func insert(
  _ file: PictureFile, as picture: RecentUses.Picture, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let facts = file.facts
  let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (?)", file.bytes)
  try db.run(
    """
    INSERT INTO derived_pictures (meme, width, format, height, byte_count, digest, blob, last_use)
    VALUES (?, ?, ?, ?, ?, ?, ?, \(nextUse))
    """,
    picture.meme, picture.width, picture.format, facts.size.height, facts.byteCount,
    facts.digest.bytes, blob)
}
