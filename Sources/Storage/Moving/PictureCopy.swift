import Bytes
import Memes
import Objects
import SQL

/// Copies the bytes of pictures, and compares them with the lengths and digests in the rows of their owners. Bytes
/// without an owner stay behind: they are about to be overwritten.
struct PictureCopy {
  let digest: Digester
  /// Receives a line for each broken picture.
  let report: (String) -> Void

  /// Copies all pictures.
  ///
  /// - Parameter progress: receives the number of copied pictures, again and again.
  /// - Returns: a digest of their numbers, lengths and digests, and the number of their bytes.
  /// - Throws: ``MoveFailure``, after all pictures were read if some are broken; `ObjectError`.
  func copy(
    from source: borrowing Transaction, _ sourceBlobs: Blobs, to target: borrowing Transaction,
    _ targetBlobs: Blobs, progress: (Int) -> Void
  ) throws -> (found: TableDigest, bytes: Int) {
    var (found, bytes, broken) = (TableDigest(), 0, 0)
    try read(source, sourceBlobs) { batch in
      var whole: [(picture: OwnedPicture, content: Bytes)] = []
      for read in batch {
        let picture = read.picture
        guard let content = read.content, read.problem == nil else {
          broken += 1
          report("\(picture.owner) blob=\(picture.number): \(read.problem ?? "no bytes")")
          continue
        }
        found.add(picture, length: content.count, read.digest, by: digest)
        bytes += content.count
        whole.append((picture, content))
      }
      // Nothing will be kept.
      if broken == 0 { try insert(whole, into: target, targetBlobs) }
      progress(batch.count)
    }
    guard broken == 0 else { throw MoveFailure.brokenPictures(broken) }
    return (found, bytes)
  }

  private func insert(
    _ pictures: [(picture: OwnedPicture, content: Bytes)], into db: borrowing Transaction,
    _ blobs: Blobs
  ) throws {
    let stored = try sideBySide(pictures.map(\.content)) { try blobs.blockingPrepare($0) }
    try MoveFailure.writing(MovedTable.blobs) {
      for (picture, blob) in zip(pictures, stored) {
        try blob.insert(as: picture.picture.number, in: db)
      }
      // Waits for the posted statements.
      _ = try db.first("SELECT 1") { row in try row.next() as Int }
    }
  }

  /// Reads all pictures.
  ///
  /// - Returns: the digest that ``copy(from:_:to:progress:)`` returned, if nothing was changed on the way.
  func verify(
    _ db: borrowing Transaction, _ blobs: Blobs, progress: (Int) -> Void
  ) throws -> TableDigest {
    var found = TableDigest()
    try read(db, blobs) { batch in
      for read in batch {
        guard let content = read.content else { throw MoveFailure.differs(MovedTable.blobs) }
        found.add(read.picture, length: content.count, read.digest, by: digest)
      }
      progress(batch.count)
    }
    return found
  }

  private func read(
    _ db: borrowing Transaction, _ blobs: Blobs, _ body: ([ReadPicture]) throws -> Void
  ) throws {
    var last = Int64.min
    while true {
      let batch = try MoveFailure.reading(MovedTable.blobs) {
        try OwnedPicture.all(after: last, in: db).map { picture in
          UnreadPicture(picture: picture, stored: try picture.stored(in: db))
        }
      }
      guard let end = batch.last else { return }
      try body(try sideBySide(batch) { [digest] in try $0.read(from: blobs, digest) })
      last = end.picture.number
    }
  }
}

/// A row that owns bytes.
struct OwnedPicture: Sendable {
  /// The number of pictures in memory, and of requests to an object store at once.
  static let batch = 8

  let number: Int64
  /// The table of the owner.
  let owner: String
  let byteCount: Int
  let digest: [UInt8]
  private let hasBlob: Bool

  /// The next pictures, in the order of their numbers.
  static func all(after last: Int64, in db: borrowing Transaction) throws -> [OwnedPicture] {
    try db.all(query, last, batch) { row in
      OwnedPicture(
        number: try row.next(), owner: try row.next(), byteCount: try row.next(),
        digest: try row.next(), hasBlob: try row.next())
    }
  }

  static func count(in db: borrowing Transaction) throws -> Int {
    try db.value("SELECT count(*) FROM (\(owners(after: nil))) AS owned") ?? 0
  }

  private static let query = """
    SELECT owned.blob, owned.owner, owned.byte_count, owned.digest, blobs.id IS NOT NULL
    FROM (\(owners(after: "?1")) ORDER BY blob LIMIT ?2) AS owned LEFT JOIN blobs ON blobs.id = owned.blob
    ORDER BY owned.blob
    """

  private static func owners(after last: String?) -> String {
    let rest = last.map { " > \($0)" }
    return ["pictures", "derived_pictures", "avatars", "uploads", "templates"].map { table in
      """
      SELECT blob, '\(table)' AS owner, byte_count, digest FROM \(table)\(rest.map { " WHERE blob\($0)" } ?? "")
      """
    }.joined(separator: " UNION ALL ")
      + """
       UNION ALL SELECT thumbnail_blob, 'templates', thumbnail_byte_count, thumbnail_digest FROM templates\
      \(rest.map { " WHERE thumbnail_blob\($0)" } ?? "")
      """
  }

  /// - Returns: `nil` if there is no row with the bytes.
  func stored(in db: borrowing Transaction) throws -> StoredBlob? {
    hasBlob ? try StoredBlob(number, in: db) : nil
  }
}

private struct UnreadPicture: Sendable {
  let picture: OwnedPicture
  let stored: StoredBlob?

  /// - Throws: `ObjectError` if the object store does not answer.
  func read(from blobs: Blobs, _ digest: Digester) throws -> ReadPicture {
    let content: Bytes
    switch stored {
    case nil: return ReadPicture(picture: picture, problem: "no bytes")
    case .bytes(let bytes): content = bytes
    case .object(let key):
      do throws(ObjectError) {
        content = try blobs.blockingBytes(of: key, upTo: picture.byteCount)
      } catch {
        switch error {
        case .absent, .unreadable:
          return ReadPicture(picture: picture, problem: "object \(key.text): \(error)")
        case .unavailable, .rejected: throw error
        }
      }
    }
    let found = digest(content).bytes
    var problem: String?
    if content.count != picture.byteCount {
      problem = "\(content.count) bytes stored, \(picture.byteCount) expected"
    } else if found != picture.digest {
      problem = "SHA-256 mismatch"
    }
    return ReadPicture(picture: picture, problem: problem, content: content, digest: found)
  }
}

private struct ReadPicture: Sendable {
  let picture: OwnedPicture
  /// What is wrong with the bytes.
  let problem: String?
  var content: Bytes?
  var digest: [UInt8] = []
}

extension TableDigest {
  fileprivate mutating func add(
    _ picture: OwnedPicture, length: Int, _ content: [UInt8], by digester: Digester
  ) {
    add([.integer(picture.number), .integer(Int64(length)), .blob(Bytes(content))], by: digester)
  }
}
