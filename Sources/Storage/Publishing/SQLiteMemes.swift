package import Bytes
package import Memes
package import SQLite

/// Memes in SQLite: what ``Publishing`` needs, in the tables `memes`, `pictures`, `blobs`,
/// `deleted_memes` and `retries`. An original may come from `uploads` or `templates`.
///
/// Every query for what people may see says `deleted_at IS NULL`: the rest is in the trash.
/// Reads run on the caller's thread, writes on the writer's.
package struct SQLiteMemes: MemeStore {
  private let writer: Writer
  let readers: Readers
  private let observers: [any ChangeObserver]

  /// - Parameter observers: hear of every change, in this order.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    (writer, readers, self.observers) = (database.writer, database.readers, observers)
  }

  /// One transaction. Observers hear of its changes when they are durable, before the caller and before the next transaction.
  ///
  /// - Parameter bytes: about how many it writes, where they are many.
  func write<Value: Sendable>(
    bytes: Int = 0,
    _ body:
      @escaping @Sendable (borrowing Transaction<MemeError>) throws(MemeError) -> Written<Value>
  ) async throws(MemeError) -> Value {
    let announce: @Sendable (Written<Value>) -> Void = { [observers] written in
      for change in written.changes { observers.forEach { $0.changed(change) } }
    }
    return try await writer.transaction(bytes: bytes, whenDurable: announce, body).value
  }

  package func insert(
    _ new: NewMeme, answering answer: FirstAnswer?
  ) async throws(MemeError) -> Insertion {
    let fit = try StoredFit.encode(new.meme.fit)
    let captions = try StoredCaption.encode(new.meme.recipe.captions)
    let bytes = PictureRole.allCases.reduce(0) { $0 + new.meme.facts(of: $1).byteCount }
    return try await write(bytes: bytes) { db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: new.meme.createdAt, in: db) {
        return Written(.answered(first))
      }
      let id = new.meme.id.bytes
      if let digest = try storedDigest(of: id, in: db) {
        return Written(.taken(draftDigest: digest))
      }
      try refuseDeleted(id, in: db)
      let sequence = try insertRow(new, fit: fit, captions: captions, in: db)
      for role in PictureRole.allCases {
        try insertPicture(
          new.file(of: role), new.meme.facts(of: role), role, of: sequence, at: new.meme.createdAt,
          in: db)
      }
      if let answer { try insertAnswer(answer, in: db) }
      return Written(.inserted, .created(new.meme.id))
    }
  }

  package func meme(_ id: MemeID) async throws(MemeError) -> Meme {
    try readers.read { db throws(MemeError) in
      if let meme = try visibleMeme(id, in: db) { return meme }
      try refuseDeleted(id.bytes, in: db)
      throw .notFound
    }
  }

  package func draftDigest(of id: MemeID) async throws(MemeError) -> Digest? {
    try readers.read { db throws(MemeError) in
      if let digest = try storedDigest(of: id.bytes, in: db) { return digest }
      try refuseDeleted(id.bytes, in: db)
      return nil
    }
  }

  package func picture(
    _ role: PictureRole, of id: MemeID
  ) async throws(MemeError) -> StoredPicture { try storedPicture(role, of: id) }

  package func file(
    _ role: PictureRole, of id: MemeID, at version: Int
  ) throws(MemeError) -> Bytes {
    let picture = try storedPicture(role, of: id)
    guard picture.version == version else { throw .versionMismatch }
    return picture.file.bytes
  }

  private func storedPicture(
    _ role: PictureRole, of id: MemeID
  ) throws(MemeError) -> StoredPicture {
    try readers.read { db throws(MemeError) in
      let found = try db.first(
        """
        SELECT pictures.format, pictures.width, pictures.height, pictures.byte_count, pictures.digest, pictures.blob,
          memes.version
        FROM memes JOIN pictures ON pictures.meme = memes.seq AND pictures.role = ?
        WHERE memes.id = ? AND memes.deleted_at IS NULL
        """, role.rawValue, id.bytes
      ) { row throws(SQLiteError) in
        (
          facts: try PictureFacts(row, at: 0), blob: try row[5] as Int64,
          version: try row[6] as Int
        )
      }
      guard let found else {
        try refuseDeleted(id.bytes, in: db)
        throw .notFound
      }
      let bytes = try db.blob(table: "blobs", column: "bytes", row: found.blob)
      return StoredPicture(
        file: PictureFile(facts: found.facts, bytes: bytes), version: found.version)
    }
  }

  package func checkHealth() async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in try db.rewrite() }
  }
}

/// What came of a transaction, and what it changed for people.
struct Written<Value: Sendable>: Sendable {
  let value: Value
  let changes: [MemeChange]

  init(_ value: Value, _ changes: MemeChange...) { self.init(value, changes: changes) }

  init(_ value: Value, changes: [MemeChange]) { (self.value, self.changes) = (value, changes) }
}

private func storedDigest(
  of id: [UInt8], in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Digest? {
  try db.first("SELECT draft_digest FROM memes WHERE id = ? AND deleted_at IS NULL", id) {
    row throws(SQLiteError) in try row.digest(at: 0)
  }
}

/// The meme as people see it; `nil` where there is none, or it is deleted.
func visibleMeme(
  _ id: MemeID, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Meme? {
  try db.first(visibleMemeQuery, id.bytes) { row throws(SQLiteError) in try Meme(row) }
}

let visibleMemeQuery = "\(selectMeme) WHERE memes.id = ? AND memes.deleted_at IS NULL"

/// - Throws: ``MemeError/gone`` where the id is of a meme in the trash, or of one that was purged.
func refuseDeleted(
  _ id: [UInt8], in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let deleted = try db.first(
    """
    SELECT 1 FROM memes WHERE id = ?1 AND deleted_at IS NOT NULL
    UNION ALL SELECT 1 FROM deleted_memes WHERE id = ?1
    """, id
  ) { _ in true }
  if deleted != nil { throw .gone }
}

private func insertRow(
  _ new: NewMeme, fit: String, captions: String, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let meme = new.meme
  let (recipe, style) = (meme.recipe, meme.recipe.style)
  return try db.insert(
    """
    INSERT INTO memes (
      id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, font,
      letter_case, align, chosen_style, layout, captions, crop, max_edge, fit, draft_digest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    meme.id.bytes, meme.version, meme.createdAt.millisecondsSince1970,
    meme.updatedAt.millisecondsSince1970, recipe.top.text, recipe.bottom.text, meme.altText.text,
    style.fill.rgb, style.outline.rgb, style.outlineWidth, style.size, style.font.text,
    style.letterCase.rawValue, style.align.rawValue, recipe.choices.names,
    recipe.layout.rawValue, captions,
    recipe.crop?.description, recipe.maxEdge?.pixels, fit, new.draftDigest.bytes)
}

/// Keeps a file of a meme.
///
/// - Parameter time: that it is made at.
/// - Throws: ``MemeError/noSuchUpload`` where it was sent before and has expired, ``MemeError/noSuchTemplate`` where the
///   template was deleted meanwhile.
func insertPicture(
  _ file: FileSource, _ facts: PictureFacts, _ role: PictureRole, of sequence: Int64,
  at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let blob = try insertBytes(of: file, at: time, in: db)
  try db.run(
    """
    INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """,
    sequence, role.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
    facts.byteCount, facts.digest.bytes, blob)
}

private func insertBytes(
  of file: FileSource, at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  switch file {
  case .bytes(let bytes): return try db.insert("INSERT INTO blobs (bytes) VALUES (?)", bytes)
  case .upload(let id):
    guard let blob = try uploadBlob(of: id, at: time, in: db) else { throw .noSuchUpload }
    return try copyBytes(of: blob, in: db)
  case .template(let id):
    guard let blob = try templateBlob(of: id, in: db) else { throw .noSuchTemplate }
    return try copyBytes(of: blob, in: db)
  }
}

private func copyBytes(
  of blob: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  try db.insert("INSERT INTO blobs (bytes) SELECT bytes FROM blobs WHERE id = ?", blob)
}
