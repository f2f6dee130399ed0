package import Bytes
package import Memes
import SQL

/// Uploads in chunks. Each chunk is stored in a row, so an acknowledged chunk is as durable as a meme.
extension UploadStore: UnfinishedUploadStore {
  package func begin(
    _ upload: UploadProgress, by viewer: Principal, countedFor beginner: Digest,
    within bound: UnfinishedUploadLimit, at time: Timestamp
  ) async throws {
    try await writer.transaction { db in
      try db.lock(account: viewer.person)
      try db.lock(beginner)
      let author = try authorNumber(viewer.person, in: db)
      let begun = try db.first(
        Self.begunQuery, beginner.bytes, time.millisecondsSince1970
      ) { row in
        (count: try row.next() as Int, bytes: try row.next() as Int, first: try row.next() as Int64)
      }
      if let begun, begun.count >= bound.count || upload.byteCount > bound.bytes - begun.bytes {
        throw MemeError.tooManyUploads(
          waitSeconds: Int((begun.first - time.millisecondsSince1970) / 1000) + 1)
      }
      try limits.check(adding: upload.byteCount, by: author, in: db)
      try db.run(
        """
        INSERT INTO unfinished_uploads (id, byte_count, expires_at, beginner, author)
        VALUES (?, ?, ?, ?, ?)
        """,
        upload.id.bytes, upload.byteCount, upload.expiresAt.millisecondsSince1970, beginner.bytes,
        author)
    }
  }

  static let begunQuery = """
    SELECT count(*), CAST(coalesce(sum(byte_count), 0) AS bigint), coalesce(min(expires_at), 0)
    FROM unfinished_uploads WHERE beginner = ? AND expires_at > ?
    """

  package func progress(
    of id: UploadID, at time: Timestamp
  ) async throws -> UploadProgress? {
    try await readers.read { db in
      if let upload = try storedUpload(id, at: time, in: db) { return UploadProgress(upload) }
      return try unfinishedUpload(id, at: time, in: db)?.progress
    }
  }

  package func append(
    _ piece: Bytes, to id: UploadID, at offset: Int, until expiry: Timestamp, at time: Timestamp
  ) async throws {
    try await writer.transaction(bytes: piece.count) { db in
      try db.lock(upload: id)
      let found = try unfinishedUpload(id, goingOnAt: offset, at: time, in: db)
      try limits.check(adding: piece.count, by: found.author, in: db)
      try add(piece, to: found.sequence, at: offset, in: db)
      try db.run(
        "UPDATE unfinished_uploads SET received = ?, expires_at = ? WHERE seq = ?",
        offset + piece.count, expiry.millisecondsSince1970, found.sequence)
    }
  }

  package func collect(
    _ id: UploadID, upTo offset: Int, into spool: Spool
  ) async throws {
    let start = spool.count
    let pieces: [Int64] = try await readers.read { db in
      try db.column(
        """
        SELECT upload_pieces.seq FROM upload_pieces JOIN unfinished_uploads ON unfinished_uploads.seq = upload
        WHERE id = ? ORDER BY start
        """, id.bytes)
    }
    for piece in pieces {
      let bytes = try await readers.read { db in
        guard try db.exists("SELECT TRUE FROM upload_pieces WHERE seq = ?", piece) else {
          throw MemeError.notFound
        }
        return try db.blob(table: "upload_pieces", column: "bytes", row: piece)
      }
      do throws(Spool.Failure) { try spool.append(bytes) } catch { throw MemeError(error) }
    }
    guard spool.count - start == offset else { throw MemeError.offsetMismatch }
  }

  package func finish(
    _ upload: Upload, _ bytes: Bytes, after offset: Int, at time: Timestamp
  ) async throws {
    let blob = try await blobs.prepare(bytes)
    try await writer.transaction(bytes: bytes.count) { db in
      try db.lock(upload: upload.id)
      let found = try unfinishedUpload(upload.id, goingOnAt: offset, at: time, in: db)
      try limits.check(adding: bytes.count - offset, by: found.author, in: db)
      try removeUnfinished(found.sequence, in: db)
      try insertUpload(upload, blob, of: found.author, in: db)
    }
  }

  package func remove(_ id: UploadID, at time: Timestamp) async throws -> Bool {
    try await writer.transaction { db in
      try db.lock(upload: id)
      if let found = try unfinishedUpload(id, at: time, in: db) {
        try removeUnfinished(found.sequence, in: db)
        return true
      }
      let whole = try db.first(
        "SELECT seq, blob FROM uploads WHERE id = ? AND expires_at > ?",
        id.bytes, time.millisecondsSince1970
      ) { row in (sequence: try row[0] as Int64, blob: try row[1] as Int64) }
      guard let whole else { return false }
      return try removeUpload(whole.sequence, blob: whole.blob, in: db)
    }
  }

  /// The minimum size of a row of chunks, except for the last one.
  static let smallPiece = 64 << 10

  /// On PostgreSQL, it waits for a client that continues one of them at this moment, and then leaves it out.
  static func unfinishedDueQuery(_ dialect: Dialect) -> String {
    """
    SELECT seq, received FROM unfinished_uploads WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
    \(dialect == .postgreSQL ? "FOR UPDATE" : "")
    """
  }
}

/// Deletes some of the expired unfinished uploads, the oldest first.
func purgeUnfinished(
  expiredAt time: Timestamp, _ batch: PurgeBatch, in db: borrowing Transaction
) throws -> Int {
  let due = try db.all(
    UploadStore.unfinishedDueQuery(db.dialect), time.millisecondsSince1970, batch.count
  ) { row in (sequence: try row.next() as Int64, bytes: try row.next() as Int) }
  var (count, bytes) = (0, 0)
  for upload in due {
    bytes += upload.bytes
    if count > 0, bytes > batch.bytes { break }
    try removeUnfinished(upload.sequence, in: db)
    count += 1
  }
  return count
}

/// Appends to the last row while that row is small. A client that sends single bytes creates no more rows than other
/// clients.
private func add(
  _ piece: Bytes, to upload: Int64, at offset: Int, in db: borrowing Transaction
) throws {
  let grown = try db.run(
    // In SQLite, `||` of two blobs returns their bytes as text.
    """
    UPDATE upload_pieces SET bytes = \(db.dialect.appending("?", to: "bytes"))
    WHERE upload = ? AND start = (SELECT max(start) FROM upload_pieces WHERE upload = ?) AND start > ?
    """, piece, upload, upload, offset - UploadStore.smallPiece)
  if grown > 0 { return }
  try db.run(
    "INSERT INTO upload_pieces (upload, start, bytes) VALUES (?, ?, ?)", upload, offset, piece)
}

private func removeUnfinished(
  _ sequence: Int64, in db: borrowing Transaction
) throws {
  try db.run("DELETE FROM upload_pieces WHERE upload = ?", sequence)
  try db.run("DELETE FROM unfinished_uploads WHERE seq = ?", sequence)
}

private func unfinishedUpload(
  _ id: UploadID, at time: Timestamp, in db: borrowing Transaction
) throws -> (sequence: Int64, author: Int64?, progress: UploadProgress)? {
  try db.first(
    """
    SELECT seq, author, byte_count, received, expires_at FROM unfinished_uploads
    WHERE id = ? AND expires_at > ?
    """, id.bytes, time.millisecondsSince1970
  ) { row in
    (
      try row.next(), try row.next(),
      UploadProgress(
        id: id, byteCount: try row.next(), offset: try row.next(),
        expiresAt: try row.nextTimestamp())
    )
  }
}

private func unfinishedUpload(
  _ id: UploadID, goingOnAt offset: Int, at time: Timestamp,
  in db: borrowing Transaction
) throws -> (sequence: Int64, author: Int64?) {
  guard let found = try unfinishedUpload(id, at: time, in: db) else {
    // Another server may have completed the upload.
    throw try storedUpload(id, at: time, in: db) == nil ? MemeError.notFound : .offsetMismatch
  }
  guard found.progress.offset == offset else { throw MemeError.offsetMismatch }
  return (found.sequence, found.author)
}
