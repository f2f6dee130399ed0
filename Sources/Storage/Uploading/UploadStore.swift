package import Bytes
package import Memes
package import SQL

/// Stores uploads, complete and unfinished, in the tables `uploads`, `unfinished_uploads`, `upload_pieces`, `blobs` and
/// `retries`.
///
/// Each call is one transaction. Changes are durable on return. Every query for usable uploads requires
/// `expires_at > ?`, so its result does not depend on the purge. Reads run on the caller's thread, writes on the writer
/// thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct UploadStore: Sendable {
  let writer: any Writer
  let readers: any Readers
  let limits: StorageLimits
  let blobs: Blobs

  /// - Parameter limits: the maximum storage of accounts and of anonymous users.
  package init(_ database: any Database, limits: StorageLimits = StorageLimits()) {
    (writer, readers, self.limits) = (database.writer, database.readers, limits)
    blobs = database.blobs
  }

  /// Stores the upload with its bytes.
  ///
  /// - Parameters:
  ///   - viewer: owns the upload if it is a signed-in user.
  ///   - record: stored together with the upload.
  ///   - time: the creation time.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/quotaExceeded(_:)``; ``MemeError/unauthorized`` if the account was deleted.
  package func insert(
    _ upload: Upload, _ bytes: Bytes, by viewer: Principal, recording record: IdempotencyRecord?,
    at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    let blob = try await blobs.prepare(bytes)
    return try await writer.transaction(bytes: bytes.count) { db in
      try db.lock(account: viewer.person)
      if let first = try earlierRecord(than: record, at: time, in: db) { return first }
      let author = try authorNumber(viewer.person, in: db)
      try limits.check(adding: bytes.count, by: author, in: db)
      try insertUpload(upload, blob, of: author, in: db)
      if let record { try insertRecord(record, in: db) }
      return nil
    }
  }

  /// The upload without its bytes; `nil` if it has expired or never existed.
  package func upload(
    _ id: UploadID, at time: Timestamp
  ) async throws -> Upload? {
    try await readers.read { db in try storedUpload(id, at: time, in: db) }
  }

  /// The upload's bytes, read on the calling thread; `nil` if it has expired or never existed.
  package func bytes(of id: UploadID, at time: Timestamp) throws -> Bytes? {
    let found = try readers.blockingRead { db in
      guard let upload = try storedUpload(id, at: time, in: db),
        let blob = try uploadBlob(of: id, at: time, in: db)
      else { return nil as PlacedFile? }
      return try PlacedFile(upload.picture, blob, in: db)
    }
    return try found.map { try blobs.blockingFile($0).bytes }
  }

  /// Deletes one batch of expired uploads, oldest first.
  ///
  /// - Returns: the number of deleted uploads; 0 if nothing is left to delete.
  package func purgeUploads(
    expiredAt time: Timestamp, _ batch: PurgeBatch
  ) async throws -> Int {
    try await writer.transaction(bytes: batch.bytes) { db in
      try db.lockAuthors(ofUploadsExpiredAt: time, atMost: batch.count)
      let due = try db.all(Self.dueQuery, time.millisecondsSince1970, batch.count) {
        row in
        (
          sequence: try row.next() as Int64, blob: try row.next() as Int64,
          bytes: try row.next() as Int
        )
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

/// The upload; `nil` if it has expired or does not exist.
func storedUpload(
  _ id: UploadID, at time: Timestamp, in db: borrowing Transaction
) throws -> Upload? {
  try db.first(
    """
    SELECT format, width, height, byte_count, digest, expires_at FROM uploads
    WHERE id = ? AND expires_at > ?
    """, id.bytes, time.millisecondsSince1970
  ) { row in
    Upload(id: id, picture: try PictureFacts(&row), expiresAt: try row.nextTimestamp())
  }
}

func insertUpload(
  _ upload: Upload, _ new: NewBlob, of author: Int64?, in db: borrowing Transaction
) throws {
  let (facts, blob) = (upload.picture, try new.insert(in: db))
  try db.run(
    """
    INSERT INTO uploads (id, expires_at, format, width, height, byte_count, digest, blob, author)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    upload.id.bytes, upload.expiresAt.millisecondsSince1970, facts.format.rawValue,
    facts.size.width, facts.size.height, facts.byteCount, facts.digest.bytes, blob, author)
}

/// Deletes the upload with its bytes.
///
/// - Returns: `false` if another transaction has deleted it since it was read.
@discardableResult
func removeUpload(
  _ sequence: Int64, blob: Int64, in db: borrowing Transaction
) throws -> Bool {
  guard try db.run("DELETE FROM uploads WHERE seq = ?", sequence) > 0 else { return false }
  try db.run("DELETE FROM blobs WHERE id = ?", blob)
  return true
}

/// The number of the row with an upload's bytes; `nil` if the upload has expired or does not exist.
func uploadBlob(
  of id: UploadID, at time: Timestamp, in db: borrowing Transaction
) throws -> Int64? {
  try db.value(
    "SELECT blob FROM uploads WHERE id = ? AND expires_at > ?",
    id.bytes, time.millisecondsSince1970)
}
