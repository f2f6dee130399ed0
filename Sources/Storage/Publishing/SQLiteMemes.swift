package import Memes
package import SQLite

/// Memes in SQLite: what ``Publishing`` needs, in the tables `memes`, `pictures`, `blobs`,
/// `deleted_memes` and `retries`.
///
/// Reads run on the caller's thread, writes on the writer's.
package struct SQLiteMemes: MemeStore {
  private let writer: Writer
  let readers: Readers

  package init(_ database: Database) {
    (writer, readers) = (database.writer, database.readers)
  }

  package func insert(
    _ new: NewMeme, answering answer: FirstAnswer?
  ) async throws(MemeError) -> Insertion {
    let fit = try StoredFit.encode(new.meme.fit)
    let expiry = RetryKey.expiry(at: new.meme.createdAt)
    return try await writer.transaction { db throws(MemeError) in
      try removeExpiredAnswers(to: answer?.key, before: expiry, in: db)
      if let answer, let first = try keptAnswer(to: answer.key, after: expiry, in: db) {
        return .answered(first)
      }
      let id = new.meme.id.bytes
      if let digest = try storedDigest(of: id, in: db) { return .taken(draftDigest: digest) }
      try refuseDeleted(id, in: db)
      let sequence = try insertRow(new, fit: fit, in: db)
      for role in PictureRole.allCases {
        try insertPicture(
          PictureFile(facts: new.meme.facts(of: role), bytes: new.bytes(of: role)),
          role, of: sequence, in: db)
      }
      if let answer { try insertAnswer(answer, in: db) }
      return .inserted
    }
  }

  package func meme(_ id: MemeID) async throws(MemeError) -> Meme {
    try readers.read { db throws(MemeError) in
      let found = try db.first("\(listedMeme) WHERE memes.id = ?", id.bytes) {
        row throws(SQLiteError) in try Meme(row)
      }
      if let found { return found }
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

  package func page(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> MemePage {
    let start = position?.sequence ?? .max
    // One more than asked for tells whether there is a next page.
    let rows = try readers.read { db throws(MemeError) in
      try db.all(Self.pageQuery, start, max(0, limit) + 1) { row throws(SQLiteError) in
        (sequence: try row[listedSequence] as Int64, meme: try Meme(row))
      }
    }
    let page = rows.prefix(max(0, limit))
    let next = rows.count > page.count ? page.last?.sequence : nil
    return MemePage(memes: page.map(\.meme), next: next.map(ListPosition.init(sequence:)))
  }

  static let pageQuery = "\(listedMeme) WHERE memes.seq < ? ORDER BY memes.seq DESC LIMIT ?"

  package func picture(
    _ role: PictureRole, of id: MemeID
  ) async throws(MemeError) -> PictureFile {
    try readers.read { db throws(MemeError) in
      let found = try db.first(
        """
        SELECT pictures.format, pictures.width, pictures.height, pictures.byte_count, pictures.digest, pictures.blob
        FROM memes JOIN pictures ON pictures.meme = memes.seq AND pictures.role = ?
        WHERE memes.id = ?
        """, role.rawValue, id.bytes
      ) { row throws(SQLiteError) in
        (facts: try PictureFacts(row, at: 0), blob: try row[5] as Int64)
      }
      guard let found else {
        try refuseDeleted(id.bytes, in: db)
        throw .notFound
      }
      let bytes = try db.blob(table: "blobs", column: "bytes", row: found.blob)
      return PictureFile(facts: found.facts, bytes: bytes)
    }
  }

  package func delete(_ id: MemeID, at time: Timestamp) async throws(MemeError) {
    try await writer.transaction { db throws(MemeError) in
      let found = try db.first("SELECT seq FROM memes WHERE id = ?", id.bytes) {
        row throws(SQLiteError) in try row[0] as Int64
      }
      guard let sequence = found else {
        try refuseDeleted(id.bytes, in: db)
        throw .notFound
      }
      let blobs = try db.all("DELETE FROM pictures WHERE meme = ? RETURNING blob", sequence) {
        row throws(SQLiteError) in try row[0] as Int64
      }
      for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
      try db.run("DELETE FROM memes WHERE seq = ?", sequence)
      try db.run(
        "INSERT INTO deleted_memes (id, deleted_at) VALUES (?, ?)",
        id.bytes, time.millisecondsSince1970)
    }
  }

  package func checkHealth() async throws(MemeError) {
    do {
      try await writer.transaction { db throws(HealthCheck) in
        try db.run("INSERT INTO blobs (bytes) VALUES (?)", [0] as [UInt8])
        throw .passed
      }
    } catch {
      if case .failed(let error) = error { throw MemeError(error) }
    }
  }
}

/// How the transaction of a health check ends: always by rolling back.
private enum HealthCheck: SQLiteFailure {
  case passed
  case failed(SQLiteError)

  init(_ error: SQLiteError) { self = .failed(error) }
}

private func storedDigest(
  of id: [UInt8], in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Digest? {
  try db.first("SELECT draft_digest FROM memes WHERE id = ?", id) {
    row throws(SQLiteError) in try row.digest(at: 0)
  }
}

private func refuseDeleted(
  _ id: [UInt8], in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let deleted = try db.first("SELECT 1 FROM deleted_memes WHERE id = ?", id) { _ in true }
  if deleted != nil { throw .gone }
}

private func insertRow(
  _ new: NewMeme, fit: String, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let meme = new.meme
  return try db.insert(
    """
    INSERT INTO memes (
      id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit, draft_digest
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    meme.id.bytes, meme.version, meme.createdAt.millisecondsSince1970,
    meme.updatedAt.millisecondsSince1970, meme.top.text, meme.bottom.text, meme.altText.text,
    meme.style.fill.rgb, meme.style.outline.rgb, meme.style.outlineWidth, meme.style.size, fit,
    new.draftDigest.bytes)
}

private func insertPicture(
  _ file: PictureFile, _ role: PictureRole, of sequence: Int64,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let facts = file.facts
  let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (?)", file.bytes)
  try db.run(
    """
    INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """,
    sequence, role.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
    facts.byteCount, facts.digest.bytes, blob)
}
