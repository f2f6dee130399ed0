import Memes
import SQL

/// A new file of a meme, as a transaction writes it.
enum PreparedFile: Sendable {
  case new(NewBlob)
  /// A copy of an upload or a template. In an object store, the copy is there already, if there was something to copy.
  case copy(of: FileSource, NewBlob?)

  /// A file whose bytes a row will hold.
  fileprivate init(inRow file: FileSource) {
    self = if case .bytes(let bytes) = file { .new(.bytes(bytes)) } else { .copy(of: file, nil) }
  }
}

extension MemeStore {
  /// Prepares files. With an object store, all of them at the same time.
  ///
  /// - Parameter time: the current time.
  /// - Returns: the files in the order of their roles, so that equal requests write equal rows.
  func prepare(
    _ files: [PictureRole: FileSource], at time: Timestamp
  ) async throws -> [(role: PictureRole, file: PreparedFile)] {
    let sources = PictureRole.allCases.compactMap { role in files[role].map { (role, $0) } }
    guard blobs.areObjects else { return sources.map { ($0, PreparedFile(inRow: $1)) } }
    let prepared = try await withThrowingTaskGroup(of: (PictureRole, PreparedFile).self) { group in
      for (role, file) in sources {
        group.addTask { (role, try await prepare(file, at: time)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    return PictureRole.allCases.compactMap { role in prepared[role].map { (role, $0) } }
  }

  private func prepare(_ file: FileSource, at time: Timestamp) async throws -> PreparedFile {
    if case .bytes(let bytes) = file { return .new(try await blobs.prepare(bytes)) }
    let key = try await readers.read { db in
      try blob(of: file, at: time, in: db).flatMap { try objectKey(of: $0, in: db) }
    }
    guard let key else { return .copy(of: file, nil) }
    return .copy(of: file, try await blobs.copy(key))
  }
}

/// Stores a file of a meme.
///
/// - Parameter time: the current time.
/// - Throws: ``MemeError/noSuchUpload`` if the file is an upload that has expired; ``MemeError/noSuchTemplate`` if the
///   template has been deleted in the meantime.
func insertPicture(
  _ file: PreparedFile, _ facts: PictureFacts, _ role: PictureRole, of sequence: Int64,
  at time: Timestamp, in db: borrowing Transaction
) throws {
  let blob = try insertBlob(file, at: time, in: db)
  try db.run(
    """
    INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """,
    sequence, role.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
    facts.byteCount, facts.digest.bytes, blob)
}

private func insertBlob(
  _ file: PreparedFile, at time: Timestamp, in db: borrowing Transaction
) throws -> Int64 {
  switch file {
  case .new(let new): return try new.insert(in: db)
  case .copy(let source, let copy):
    try keep(source, in: db)
    guard let original = try blob(of: source, at: time, in: db) else { throw source.absence }
    if let copy { return try copy.insert(in: db) }
    return try db.insert(
      "INSERT INTO blobs (bytes) SELECT bytes FROM blobs WHERE id = ? RETURNING id", original)
  }
}

/// The row of `blobs` of an upload or a template; `nil` if it has expired or was deleted.
private func blob(
  of source: FileSource, at time: Timestamp, in db: borrowing Transaction
) throws -> Int64? {
  switch source {
  case .bytes: nil
  case .upload(let id): try uploadBlob(of: id, at: time, in: db)
  case .template(let id): try templateBlob(of: id, in: db)
  }
}

/// Prevents the deletion of the source until the end of the transaction.
private func keep(_ source: FileSource, in db: borrowing Transaction) throws {
  switch source {
  case .bytes: break
  case .upload(let id): try db.keep("uploads", id.bytes)
  case .template(let id): try db.keep("templates", id.bytes)
  }
}

extension FileSource {
  fileprivate var absence: MemeError {
    if case .template = self { .noSuchTemplate } else { .noSuchUpload }
  }
}
