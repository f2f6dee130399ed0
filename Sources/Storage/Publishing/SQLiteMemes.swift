import Bytes
package import Memes
package import SQLite

/// Memes in SQLite: what ``Publishing`` needs, in the tables `memes`, `pictures`, `blobs`,
/// `deleted_memes` and `retries`. An original may come from `uploads`.
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
      let sequence = try insertRow(new, fit: fit, in: db)
      for role in PictureRole.allCases {
        let blob = try insertBytes(of: role, new, in: db)
        try insertPicture(new.meme.facts(of: role), role, blob: blob, of: sequence, in: db)
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
  ) async throws(MemeError) -> StoredPicture {
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
  _ new: NewMeme, fit: String, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let meme = new.meme
  return try db.insert(
    """
    INSERT INTO memes (
      id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, font,
      letter_case, align, fit, draft_digest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    meme.id.bytes, meme.version, meme.createdAt.millisecondsSince1970,
    meme.updatedAt.millisecondsSince1970, meme.top.text, meme.bottom.text, meme.altText.text,
    meme.style.fill.rgb, meme.style.outline.rgb, meme.style.outlineWidth, meme.style.size,
    meme.style.font.text, meme.style.letterCase.rawValue, meme.style.align.rawValue, fit,
    new.draftDigest.bytes)
}

/// - Throws: ``MemeError/noSuchUpload`` where the original was sent before and has expired.
private func insertBytes(
  of role: PictureRole, _ new: NewMeme, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let bytes: Bytes
  switch role {
  case .original:
    switch new.original {
    case .sent(let file): bytes = file
    case .upload(let id):
      guard let blob = try uploadBlob(of: id, at: new.meme.createdAt, in: db) else {
        throw .noSuchUpload
      }
      return try db.insert("INSERT INTO blobs (bytes) SELECT bytes FROM blobs WHERE id = ?", blob)
    }
  case .image: bytes = new.image
  case .tableThumbnail: bytes = new.tableThumbnail
  case .gridThumbnail: bytes = new.gridThumbnail
  }
  return try db.insert("INSERT INTO blobs (bytes) VALUES (?)", bytes)
}

private func insertPicture(
  _ facts: PictureFacts, _ role: PictureRole, blob: Int64, of sequence: Int64,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run(
    """
    INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """,
    sequence, role.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
    facts.byteCount, facts.digest.bytes, blob)
}
