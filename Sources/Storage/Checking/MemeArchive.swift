package import Memes
package import PostgreSQL
import SQL
package import SQLite

/// Reads all stored data for ``DataCheck``, damaged or not: the tables `memes`, `pictures`, `derived_pictures`,
/// `uploads`, `unfinished_uploads`, `upload_pieces`, `templates`, `avatars`, `discarded_blobs` and `blobs`.
///
/// Reads run in short transactions on the caller's thread, so a running server can continue. Every method that throws
/// may throw ``MemeError/storage(_:)`` if the data cannot be read.
package struct MemeArchive: Sendable {
  let readers: any Readers
  /// Where the bytes are.
  let blobs: Blobs
  private let structure: any StructureCheck

  /// - Parameters:
  ///   - isInUse: whether a server writes to the database. Its WAL cannot restart during a read, so no read may be long
  ///     then.
  ///   - interruption: ends long queries; `nil` if they always run to completion.
  package init(_ database: ReadOnlyDatabase, isInUse: Bool, interruption: Interruption? = nil) {
    (readers, blobs) = (database.readers, Blobs())
    structure = SQLiteStructure(readers: readers, isInUse: isInUse, interruption: interruption)
  }

  /// - Parameters:
  ///   - database: with a timeout for statements that count all rows of a table.
  ///   - blobs: where the bytes are.
  package init(_ database: PostgreSQLDatabase, _ blobs: Blobs) {
    (readers, self.blobs) = (database.readers, blobs)
    structure = PostgreSQLStructure(readers: readers)
  }

  /// The damage in the structure of the database and in references between rows.
  package func structuralDamage() -> [Finding] { structure.findings() }

  /// The current extent of the data. A check ends there, and leaves newer rows for the next check.
  package func extent() throws -> ArchiveExtent {
    try readers.blockingRead { db in
      let found = try db.first(
        """
        SELECT coalesce((SELECT max(seq) FROM memes), 0), coalesce((SELECT max(seq) FROM uploads), 0),
          coalesce((SELECT max(seq) FROM unfinished_uploads), 0), coalesce((SELECT max(seq) FROM templates), 0),
          coalesce((SELECT max(user) FROM avatars), 0), coalesce((SELECT max(id) FROM blobs), 0)
        """
      ) { row in
        ArchiveExtent(
          lastMeme: try row.next(), lastUpload: try row.next(),
          lastUnfinishedUpload: try row.next(), lastTemplate: try row.next(),
          lastAvatar: try row.next(), lastBlob: try row.next())
      }
      return found ?? ArchiveExtent()
    }
  }

  /// The next memes, ordered by sequence number. Deleted memes are included until they are purged.
  ///
  /// A meme that cannot be read is included, with its ``ArchivedMeme/damage``.
  package func memes(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedMeme] {
    try readers.blockingRead { db in
      let sequences: [Int64] = try db.column(
        "SELECT seq FROM memes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit)
      var memes: [ArchivedMeme] = []
      for sequence in sequences { memes.append(archivedMeme(sequence, in: db)) }
      return memes
    }
  }

  /// The row and the bytes of a picture, from one snapshot; `nil` if the picture was purged or
  /// evicted during the check.
  package func picture(
    _ picture: MemePicture, of sequence: Int64
  ) throws -> PictureFile? {
    let placed = try readers.blockingRead { db in
      let found =
        switch picture {
        case .role(let role): try storedFile(PictureNumber(role), of: sequence, in: db)
        case .boxed(let index): try storedFile(.boxed(index), of: sequence, in: db)
        case .derived(let width, let format):
          try db.first(derivedQuery, sequence, width, format.rawValue, decode: storedFile)
        }
      return try found.map { try PlacedFile($0.facts, $0.blob, in: db) }
    }
    return try placed.map(blobs.checkedFile)
  }

  /// The next uploads, ordered by sequence number. Expired uploads are included until they are purged.
  ///
  /// An upload that cannot be read is included, with its ``ArchivedUpload/damage``.
  package func uploads(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedUpload] {
    try readers.blockingRead { db in
      let sequences: [Int64] = try db.column(
        "SELECT seq FROM uploads WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit)
      var uploads: [ArchivedUpload] = []
      for sequence in sequences { uploads.append(archivedUpload(sequence, in: db)) }
      return uploads
    }
  }

  /// The row and the bytes of an upload, from one snapshot; `nil` if it was purged during the check.
  package func upload(_ sequence: Int64) throws -> PictureFile? {
    let placed = try readers.blockingRead { db in
      guard let (upload, blob, _) = try uploadRow(sequence, in: db) else {
        return nil as PlacedFile?
      }
      return try PlacedFile(upload.picture, blob, in: db)
    }
    return try placed.map(blobs.checkedFile)
  }

  /// The next blobs, ordered by number.
  package func blobs(
    after number: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedBlob] {
    try readers.blockingRead { db in
      try db.all(
        """
        SELECT id, EXISTS (SELECT 1 FROM pictures WHERE pictures.blob = blobs.id)
          OR EXISTS (SELECT 1 FROM derived_pictures WHERE derived_pictures.blob = blobs.id)
          OR EXISTS (SELECT 1 FROM uploads WHERE uploads.blob = blobs.id)
          OR EXISTS (SELECT 1 FROM templates WHERE templates.blob = blobs.id)
          OR EXISTS (SELECT 1 FROM templates WHERE templates.thumbnail_blob = blobs.id)
          OR EXISTS (SELECT 1 FROM avatars WHERE avatars.blob = blobs.id)
          OR EXISTS (SELECT 1 FROM discarded_blobs WHERE discarded_blobs.blob = blobs.id)
        FROM blobs WHERE id > ? AND id <= ? ORDER BY id LIMIT ?
        """, number, end, limit
      ) { row in
        ArchivedBlob(number: try row.next(), hasOwner: try row.next())
      }
    }
  }
}

/// One meme and its pictures. A row that cannot be read is reported as damage of this meme only.
private func archivedMeme(
  _ sequence: Int64, in db: borrowing Transaction
) -> ArchivedMeme {
  var (id, isInTrash, pictures): (MemeID?, Bool, [MemePicture: Bool]) = (nil, false, [:])
  var (damage, boxes): (String?, Int) = (nil, 0)
  do {
    let row = try db.first("SELECT id, deleted_at FROM memes WHERE seq = ?", sequence) {
      row in (try row.nextMemeID(), try row.next() as Int64?)
    }
    (id, isInTrash) = (row?.0, row?.1 != nil)
    for (number, hasBytes) in try pictureRows(of: sequence, in: db) {
      guard let picture = MemePicture(number: number) else {
        throw MemeError.storage(
          DatabaseError(.mismatch, "Unknown picture role \(number) in the database."))
      }
      pictures[picture] = hasBytes
    }
    for (picture, hasBytes) in try derivedRows(of: sequence, in: db) {
      pictures[picture] = hasBytes
    }
    // Decodes the texts, the style and the fit, as every reader of the meme does.
    let meme = try db.first("\(selectMeme(AccessPolicy(.anonymous))) WHERE memes.seq = ?", sequence)
    {
      row in try Meme(&row)
    }
    boxes = meme?.recipe.pictures.count ?? 0
  } catch {
    damage = error.reason
  }
  return ArchivedMeme(
    sequence: sequence, id: id, isInTrash: isInTrash, pictures: pictures, boxes: boxes,
    damage: damage)
}

private func pictureRows(
  of sequence: Int64, in db: borrowing Transaction
) throws -> [(number: Int, hasBytes: Bool)] {
  try db.all(
    """
    SELECT role, EXISTS (SELECT 1 FROM blobs WHERE blobs.id = pictures.blob) FROM pictures
    WHERE meme = ?
    """, sequence
  ) { row in (try row.next(), try row.next()) }
}

private func derivedRows(
  of sequence: Int64, in db: borrowing Transaction
) throws -> [(picture: MemePicture, hasBytes: Bool)] {
  try db.all(
    """
    SELECT width, format, EXISTS (SELECT 1 FROM blobs WHERE blobs.id = derived_pictures.blob)
    FROM derived_pictures WHERE meme = ?
    """, sequence
  ) { row in
    let width: Int = try row.next()
    guard let format = OutputFormat(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown picture format in the database.")
    }
    return (.derived(width: width, format: format), try row.next())
  }
}

private func storedFile(
  _ row: inout Row
) throws -> (facts: PictureFacts, blob: Int64) {
  (try PictureFacts(&row), try row.next())
}

private func storedFile(
  _ number: PictureNumber, of sequence: Int64, in db: borrowing Transaction
) throws -> (facts: PictureFacts, blob: Int64)? {
  try db.first(
    """
    SELECT format, width, height, byte_count, digest, blob FROM pictures
    WHERE meme = ? AND role = ?
    """, sequence, number.rawValue, decode: storedFile)
}

/// One upload. A row that cannot be read is reported as damage of this upload only.
private func archivedUpload(
  _ sequence: Int64, in db: borrowing Transaction
) -> ArchivedUpload {
  do {
    let row = try uploadRow(sequence, in: db)
    return ArchivedUpload(sequence: sequence, hasBytes: row?.hasBytes ?? false, damage: nil)
  } catch {
    return ArchivedUpload(sequence: sequence, hasBytes: false, damage: error.reason)
  }
}

private func uploadRow(
  _ sequence: Int64, in db: borrowing Transaction
) throws -> (upload: Upload, blob: Int64, hasBytes: Bool)? {
  try db.first(
    """
    SELECT id, format, width, height, byte_count, digest, expires_at, blob,
      EXISTS (SELECT 1 FROM blobs WHERE blobs.id = uploads.blob)
    FROM uploads WHERE seq = ?
    """, sequence
  ) { row in
    let upload = Upload(
      id: UploadID(try row.nextUUID()), picture: try PictureFacts(&row),
      expiresAt: try row.nextTimestamp())
    return (upload, try row.next(), try row.next())
  }
}
