package import Bytes
package import Memes
package import SQLite

/// Uploads in SQLite: what ``Uploading``, ``Resuming`` and ``Publishing`` need, in the tables `uploads`, `unfinished_uploads`,
/// `upload_pieces`, `blobs` and `retries`.
///
/// Every query for what may be used says `expires_at > ?`: whether the purge has come by makes no difference.
/// Reads run on the caller's thread, writes on the writer's.
package struct SQLiteUploads: UploadStore {
  let writer: Writer
  let readers: Readers
  let limits: StorageLimits

  /// - Parameter limits: of what is stored.
  package init(_ database: Database, limits: StorageLimits = StorageLimits()) {
    (writer, readers, self.limits) = (database.writer, database.readers, limits)
  }

  package func insert(
    _ upload: Upload, _ bytes: Bytes, by viewer: Viewer, answering answer: FirstAnswer?,
    at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    try await writer.transaction(bytes: bytes.count) { db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: time, in: db) { return first }
      let author = try authorNumber(viewer.person, in: db)
      try limits.check(adding: bytes.count, by: author, in: db)
      try insertUpload(upload, bytes, of: author, in: db)
      if let answer { try insertAnswer(answer, in: db) }
      return nil
    }
  }

  package func upload(
    _ id: UploadID, at time: Timestamp
  ) async throws(MemeError) -> Upload? {
    try readers.read { db throws(MemeError) in try storedUpload(id, at: time, in: db) }
  }

  package func bytes(of id: UploadID, at time: Timestamp) throws(MemeError) -> Bytes? {
    try readers.read { db throws(MemeError) in
      guard let blob = try uploadBlob(of: id, at: time, in: db) else { return nil }
      return try db.blob(table: "blobs", column: "bytes", row: blob)
    }
  }

  package func purgeUploads(
    expiredAt time: Timestamp, _ batch: PurgeBatch
  ) async throws(MemeError) -> Int {
    try await writer.transaction(bytes: batch.bytes) { db throws(MemeError) in
      let due = try db.all(Self.dueQuery, time.millisecondsSince1970, batch.count) {
        row throws(SQLiteError) in
        (sequence: try row[0] as Int64, blob: try row[1] as Int64, bytes: try row[2] as Int)
      }
      if due.isEmpty { return try purgeUnfinished(expiredAt: time, batch, in: db) }
      var (count, bytes) = (0, 0)
      for upload in due {
        bytes += upload.bytes
        if count > 0, bytes > batch.bytes { break }
        try removeUpload(upload.sequence, blob: upload.blob, in: db)
        count += 1
      }
      return count
    }
  }

  static let dueQuery = """
    SELECT seq, blob, byte_count FROM uploads WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
    """
}

/// The upload, unless it has expired or never was.
func storedUpload(
  _ id: UploadID, at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Upload? {
  try db.first(
    """
    SELECT format, width, height, byte_count, digest, expires_at FROM uploads
    WHERE id = ? AND expires_at > ?
    """, id.bytes, time.millisecondsSince1970
  ) { row throws(SQLiteError) in
    Upload(id: id, picture: try PictureFacts(row, at: 0), expiresAt: try row.timestamp(at: 5))
  }
}

func insertUpload(
  _ upload: Upload, _ bytes: Bytes, of author: Int64?, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let facts = upload.picture
  let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (?)", bytes)
  try db.run(
    """
    INSERT INTO uploads (id, expires_at, format, width, height, byte_count, digest, blob, author)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    upload.id.bytes, upload.expiresAt.millisecondsSince1970, facts.format.rawValue,
    facts.size.width, facts.size.height, facts.byteCount, facts.digest.bytes, blob, author)
}

func removeUpload(
  _ sequence: Int64, blob: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  try db.run("DELETE FROM uploads WHERE seq = ?", sequence)
  try db.run("DELETE FROM blobs WHERE id = ?", blob)
}

/// The row of an upload's bytes; `nil` where it has expired or never was.
func uploadBlob(
  of id: UploadID, at time: Timestamp, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64? {
  try db.first(
    "SELECT blob FROM uploads WHERE id = ? AND expires_at > ?",
    id.bytes, time.millisecondsSince1970
  ) { row throws(SQLiteError) in try row[0] }
}
