import Memes
import SQL

/// A new file of a meme whose bytes are ready to be written.
struct PreparedPicture: Sendable {
  let number: PictureNumber
  let facts: PictureFacts
  let file: PreparedFile

  init(_ number: PictureNumber, _ facts: PictureFacts, _ file: PreparedFile) {
    (self.number, self.facts, self.file) = (number, facts, file)
  }
}

/// The bytes of a new file of a meme, as a transaction writes them.
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
  /// - Returns: the files in the same order.
  func prepare(
    _ files: [NewPicture], at time: Timestamp
  ) async throws -> [PreparedPicture] {
    guard blobs.areObjects else {
      return files.map { PreparedPicture($0.number, $0.facts, PreparedFile(inRow: $0.source)) }
    }
    let prepared = try await withThrowingTaskGroup(of: (Int, PreparedFile).self) { group in
      for (index, file) in files.enumerated() {
        group.addTask { (index, try await prepare(file.source, at: time)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    return files.enumerated().compactMap { index, file in
      prepared[index].map { PreparedPicture(file.number, file.facts, $0) }
    }
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

/// Stores files of a meme whose bytes are stored.
///
/// - Parameter blobs: the rows of `blobs`, in the same order.
func insertPictures(
  _ pictures: [PreparedPicture], _ blobs: [Int64], of sequence: Int64,
  in db: borrowing Transaction
) throws {
  guard !pictures.isEmpty else { return }
  let rows = pictures.map { _ in "(?, ?, ?, ?, ?, ?, ?, ?)" }.joined(separator: ", ")
  let values = zip(pictures, blobs).flatMap { picture, blob in
    let facts = picture.facts
    return [
      sequence, picture.number.rawValue, facts.format.rawValue, facts.size.width,
      facts.size.height, facts.byteCount, facts.digest.bytes, blob,
    ] as [any Bindable]
  }
  try db.post(
    """
    INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob) VALUES \(rows)
    """, values: values)
}

/// Stores the bytes of a file.
///
/// - Parameter time: the current time.
/// - Returns: the row of `blobs`.
/// - Throws: ``MemeError/noSuchUpload`` if the file is an upload that has expired; ``MemeError/noSuchTemplate`` if the
///   template has been deleted in the meantime; ``MemeError/versionMismatch`` if the meme has no such picture.
func insertBlob(
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

/// The row of `blobs` of a stored file; `nil` if it has expired or was deleted.
private func blob(
  of source: FileSource, at time: Timestamp, in db: borrowing Transaction
) throws -> Int64? {
  switch source {
  case .bytes: nil
  case .upload(let id): try uploadBlob(of: id, at: time, in: db)
  case .template(let id): try templateBlob(of: id, in: db)
  case .boxed(let index, let meme):
    try db.value(
      """
      SELECT blob FROM pictures
      WHERE meme = (SELECT seq FROM memes WHERE id = ? AND deleted_at IS NULL) AND role = ?
      """, meme.bytes, PictureNumber.boxed(index).rawValue)
  }
}

/// Prevents the deletion of the source until the end of the transaction.
private func keep(_ source: FileSource, in db: borrowing Transaction) throws {
  switch source {
  // The transaction of an edit has already locked the meme.
  case .bytes, .boxed: break
  case .upload(let id): try db.keep("uploads", id.bytes)
  case .template(let id): try db.keep("templates", id.bytes)
  }
}

extension FileSource {
  fileprivate var absence: MemeError {
    switch self {
    case .template: .noSuchTemplate
    case .boxed: .versionMismatch
    case .upload, .bytes: .noSuchUpload
    }
  }
}
