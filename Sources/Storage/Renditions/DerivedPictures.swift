package import Memes
package import SQL

/// Stores renditions in the tables `derived_pictures` and `blobs`, up to a total size.
///
/// Triggers maintain the sum of their sizes in `totals`. They also delete the bytes of a deleted row, and the rows of
/// an edited or deleted meme. Reads run on the caller's thread, writes on the writer thread.
package struct DerivedPictures: DerivedPictureStore {
  /// Limits clients that request one width after the other: they can neither fill the capacity nor make a meme slow to
  /// delete.
  private static let maximumOfOneMeme = 32

  private let writer: any Writer
  private let readers: any Readers
  private let capacityBytes: Int
  private let blobs: Blobs
  private let uses = RecentUses()

  /// - Parameter capacityBytes: the maximum total size of all renditions; 0 stores none.
  package init(_ database: any Database, capacityBytes: Int) {
    (writer, readers, self.capacityBytes) = (database.writer, database.readers, capacityBytes)
    blobs = database.blobs
  }

  package func find(
    _ wish: RenditionRequest, of id: MemeID, for viewer: Principal
  ) async throws -> DerivedPicture {
    let (image, found) = try await readers.read { db in
      guard let image = try storedImage(of: id, for: viewer, in: db) else {
        throw try absence(of: id, for: viewer, in: db)
      }
      guard let derivation = wish.derivation(of: image.facts) else {
        return (image, Found.image(try PlacedFile(image.facts, image.blob, in: db)))
      }
      let key = RecentUses.Picture(image.meme, derivation)
      guard let found = try storedDerived(key, in: db) else { return (image, .missing(derivation)) }
      uses.note(key)
      return (image, .kept(try PlacedFile(found.facts, found.blob, in: db)))
    }
    switch found {
    case .image(let file): return .image(image.with(blobs.file(file)))
    case .kept(let file): return .kept(image.with(blobs.file(file)))
    case .missing(let derivation):
      return .missing(
        DerivedPictureKey(meme: id, version: image.version, derivation: derivation),
        image.visibility)
    }
  }

  private enum Found {
    case image(PlacedFile)
    case kept(PlacedFile)
    case missing(Derivation)
  }

  package func keep(
    _ file: PictureFile, as key: DerivedPictureKey
  ) async throws -> Bool {
    let facts = file.facts
    // A single rendition must not displace most others. Its width and format are its key, so the file must match them.
    guard facts.byteCount <= capacityBytes / 8, facts.size.width == key.derivation.size.width,
      facts.format == PictureFormat(key.derivation.format)
    else { return false }
    let blob = try await blobs.prepare(file.bytes)
    let used = uses.take()
    return try await writer.transaction(bytes: facts.byteCount) {
      [capacityBytes] db in
      try db.lock(only: key.meme)
      guard let meme = try sequence(of: key.meme, version: key.version, in: db) else {
        return false
      }
      let picture = RecentUses.Picture(meme, key.derivation)
      try writeUses(used, in: db)
      if try storedDerived(picture, in: db) != nil { return true }
      while try count(of: meme, in: db) >= Self.maximumOfOneMeme {
        guard try db.run(eviction(db.dialect, ofMeme: true), meme) > 0 else { return false }
      }
      while try keptBytes(in: db) + facts.byteCount > capacityBytes {
        // If nothing is left to evict, the stored sum is wrong. Storing nothing is better than unbounded growth.
        guard try db.run(eviction(db.dialect)) > 0 else { return false }
      }
      try insert(blob, facts, as: picture, in: db)
      return true
    }
  }

  /// Evicts renditions until the rest fits into the capacity, which may be smaller than at the last start.
  ///
  /// Uses short transactions, which are as durable as all others.
  package func trim() async throws {
    var isOver = false
    while !isOver {
      isOver = try await writer.transaction { [capacityBytes] db in
        for _ in 0..<Self.maximumOfOneMeme {
          guard try keptBytes(in: db) > capacityBytes, try db.run(eviction(db.dialect)) > 0 else {
            return true
          }
        }
        return false
      }
    }
  }
}

extension RecentUses.Picture {
  fileprivate init(_ meme: Int64, _ derivation: Derivation) {
    self.init(meme: meme, width: derivation.size.width, format: derivation.format.rawValue)
  }
}

/// A meme's own image, with the version and visibility that apply to all of its renditions.
private struct StoredImage {
  let facts: PictureFacts
  let blob: Int64
  let version: Int
  let meme: Int64
  let visibility: Visibility

  func with(_ file: StoredPictureFile) -> StoredPicture {
    StoredPicture(file: file, version: version, visibility: visibility)
  }
}

private let imageQuery = PerViewerSQL { policy in
  """
  SELECT pictures.format, pictures.width, pictures.height, pictures.byte_count, pictures.digest, pictures.blob,
    memes.version, memes.seq, memes.visibility
  FROM memes JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 1
  WHERE memes.id = ?2 AND memes.deleted_at IS NULL AND \(policy.sees())
  """
}

private func storedImage(
  of id: MemeID, for viewer: Principal, in db: borrowing Transaction
) throws -> StoredImage? {
  let policy = AccessPolicy(viewer)
  return try db.first(imageQuery[policy], policy.person, id.bytes) { row in
    StoredImage(
      facts: try PictureFacts(&row), blob: try row.next(), version: try row.next(),
      meme: try row.next(), visibility: try row.nextVisibility())
  }
}

private func storedDerived(
  _ picture: RecentUses.Picture, in db: borrowing Transaction
) throws -> (facts: PictureFacts, blob: Int64)? {
  try db.first(derivedQuery, picture.meme, picture.width, picture.format) {
    row in (try PictureFacts(&row), try row.next())
  }
}

let derivedQuery = """
  SELECT format, width, height, byte_count, digest, blob FROM derived_pictures
  WHERE meme = ? AND width = ? AND format = ?
  """

private func sequence(
  of id: MemeID, version: Int, in db: borrowing Transaction
) throws -> Int64? {
  try db.value(
    "SELECT seq FROM memes WHERE id = ? AND version = ? AND deleted_at IS NULL", id.bytes, version)
}

private func count(
  of meme: Int64, in db: borrowing Transaction
) throws -> Int {
  try db.value("SELECT count(*) FROM derived_pictures WHERE meme = ?", meme) ?? 0
}

private func keptBytes(in db: borrowing Transaction) throws -> Int {
  try db.value("SELECT derived_bytes FROM \(db.dialect.totals) WHERE id = 1") ?? 0
}

private func lastUse(in db: borrowing Transaction) throws -> Int64 {
  try db.value("SELECT coalesce(max(last_use), 0) FROM derived_pictures") ?? 0
}

/// Makes these renditions the most recently used ones, in this order.
///
/// It changes the rows in the order of their keys, as `lock(removing:)` locks them. In the order of use, which each
/// server has for itself, two transactions would wait for each other.
private func writeUses(_ uses: [RecentUses.Picture], in db: borrowing Transaction) throws {
  guard !uses.isEmpty else { return }
  let last = try lastUse(in: db)
  for (place, picture) in uses.enumerated().sorted(by: { $0.element < $1.element }) {
    try db.post(
      "UPDATE derived_pictures SET last_use = ? WHERE meme = ? AND width = ? AND format = ?",
      last + 1 + Int64(place), picture.meme, picture.width, picture.format)
  }
}

/// Deletes the least recently used rendition, of all memes or of the one with the number `?`.
///
/// On PostgreSQL, it leaves out a rendition that another transaction has locked, because that one may wait for a
/// rendition that this one has locked. The unary plus prevents the planner from scanning those of all memes.
func eviction(_ dialect: Dialect, ofMeme: Bool = false) -> String {
  """
  DELETE FROM derived_pictures WHERE (meme, width, format) =
    (SELECT meme, width, format FROM derived_pictures \(ofMeme ? "WHERE meme = ?" : "")
    ORDER BY \(ofMeme ? "+" : "")last_use LIMIT 1
    \(dialect == .postgreSQL ? "FOR UPDATE SKIP LOCKED" : ""))
  """
}

private func insert(
  _ new: NewBlob, _ facts: PictureFacts, as picture: RecentUses.Picture,
  in db: borrowing Transaction
) throws {
  let blob = try new.insert(in: db)
  try db.run(
    """
    INSERT INTO derived_pictures (meme, width, format, height, byte_count, digest, blob, last_use)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """,
    picture.meme, picture.width, picture.format, facts.size.height, facts.byteCount,
    facts.digest.bytes, blob, try lastUse(in: db) + 1)
}
