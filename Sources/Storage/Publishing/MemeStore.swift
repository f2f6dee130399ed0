package import Bytes
package import Memes
package import SQL

/// Stores memes and their files, in the tables `memes`, `meme_tags`, `meme_words`, `pictures`, `blobs`,
/// `deleted_memes` and `retries`. An original may be copied from `uploads` or `templates`. Also counts shares, in
/// `shares`, and reads and prunes the record of changes, in `changes` and `epochs`.
///
/// Each call is one transaction. Changes are durable on return. Every query for visible memes requires
/// `deleted_at IS NULL`, because other memes are in the trash, and has a condition of an ``AccessPolicy``. Reads run on
/// the caller's thread, except those of slow lists. Writes run on the writer thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``. Inserting, replacing and claiming a meme may also throw ``MemeError/quotaExceeded(_:)``.
package struct MemeStore: Sendable {
  let readers: any Readers
  let writer: ObservedWriter
  let limits: StorageLimits
  let blobs: Blobs
  private let health: any Writer

  /// - Parameters:
  ///   - limits: the maximum storage of accounts and of anonymous users.
  ///   - observers: notified of every change, in this order.
  package init(
    _ database: any Database, limits: StorageLimits = StorageLimits(),
    observers: [any ChangeObserver] = []
  ) {
    (readers, health, self.limits) = (database.readers, database.writer, limits)
    blobs = database.blobs
    writer = ObservedWriter(database, observers: observers)
  }

  /// Stores the meme and its files.
  ///
  /// - Parameters:
  ///   - record: stored together with the meme. If its key already has a response, nothing is written.
  ///   - time: when an import made the meme, which may have an earlier time itself; `nil` without an import.
  /// - Throws: the errors of ``draftDigest(of:by:)``; ``MemeError/unauthorized`` if the author's account was deleted;
  ///   ``MemeError/invalid(field:_:)`` if the original is an upload that has expired, or a template that was deleted.
  package func insert(
    _ new: NewMeme, recording record: IdempotencyRecord?, importedAt time: Timestamp? = nil
  ) async throws -> Insertion {
    let fit = try StoredFit.encode(new.meme.fit)
    let captions = try StoredCaption.encode(new.meme.recipe.captions)
    let pictures = try StoredPictureBox.encode(new.meme.recipe.pictures)
    let bytes = new.byteCount
    let words = new.meme.searchWords
    let files = try await prepare(new.files, at: new.meme.createdAt)
    return try await writer.write(bytes: bytes) { db in
      try db.lock(account: new.meme.author?.id)
      if let first = try earlierRecord(than: record, at: new.meme.createdAt, in: db) {
        return Written(.answered(first))
      }
      let author = new.meme.author?.id
      let viewer = author.map(Principal.person) ?? .anonymous
      if let digest = try storedDigest(of: new.meme.id, by: viewer, in: db) {
        return Written(.taken(draftDigest: digest))
      }
      let number = try authorNumber(author, in: db)
      try limits.check(adding: bytes, by: number, in: db)
      let sequence = try insertRow(
        new, by: number, fit: fit, captions: captions, pictures: pictures, in: db)
      try insertWords(words, of: sequence, by: number, in: db)
      if !new.meme.tags.isEmpty { try insertTags(new.meme.tags, of: sequence, in: db) }
      let blobs = try files.map { try insertBlob($0.file, at: new.meme.createdAt, in: db) }
      try insertPictures(files, blobs, of: sequence, in: db)
      if case .template(let id) = new.original {
        try db.post("UPDATE templates SET use_count = use_count + 1 WHERE id = ?", id.bytes)
      }
      if let record { try insertRecord(record, in: db) }
      if let time { try renewEvents(of: new.meme, at: time, in: db) }
      return Written(.inserted, .created(new.meme.id), of: author)
    }
  }

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func meme(_ id: MemeID, for viewer: Principal) async throws -> Meme {
    try await readers.read { db in
      if let meme = try visibleMeme(id, for: viewer, in: db) { return meme }
      throw try absence(of: id, for: viewer, in: db)
    }
  }

  /// The user as an author; `nil` if the account was deleted.
  package func author(_ person: UserID) async throws -> Author? {
    try await readers.read { db in
      try db.first(
        "SELECT id, username, display_name, avatar FROM users WHERE id = ?", person.bytes
      ) { row in try row.nextAuthor() } ?? nil
    }
  }

  /// The digest of the draft from which the viewer's meme with this ID was made; `nil` if the ID is free.
  ///
  /// - Throws: ``MemeError/gone`` if the ID belonged to a meme that the viewer could see; ``MemeError/idTaken`` if it
  ///   belongs or belonged to another meme.
  package func draftDigest(
    of id: MemeID, by viewer: Principal
  ) async throws -> Digest? {
    try await readers.read { db in try storedDigest(of: id, by: viewer, in: db) }
  }

  /// One of the meme's files, and the version of the meme. Only viewers who own the meme can read its original, because
  /// the file may contain the coordinates of a place.
  ///
  /// - Parameter version: the required version of the meme; `nil` for the current one.
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the file, or the version never existed;
  ///   ``MemeError/superseded`` if the version is not the current one; ``MemeError/gone``.
  package func picture(
    _ role: PictureRole, of id: MemeID, version: Int? = nil, for viewer: Principal
  ) async throws -> StoredPicture {
    let (row, file) = try await found(role, of: id, version: version, for: viewer) { row, db in
      try PlacedFile(row.facts, row.blob, in: db)
    }
    return StoredPicture(
      file: blobs.file(file), version: row.version, visibility: row.visibility)
  }

  /// The same file without its bytes, for a response that sends none of them.
  ///
  /// - Returns: a picture whose bytes cannot be read.
  /// - Throws: see ``picture(_:of:version:for:)``.
  package func unreadPicture(
    _ role: PictureRole, of id: MemeID, version: Int? = nil, for viewer: Principal
  ) async throws -> StoredPicture {
    let (row, _) = try await found(role, of: id, version: version, for: viewer) { _, _ in }
    return StoredPicture(
      file: StoredPictureFile(row.facts, UnreadBytes(count: row.facts.byteCount)),
      version: row.version, visibility: row.visibility)
  }

  /// - Parameter read: reads the file of a row, in the same transaction.
  private func found<File: Sendable>(
    _ role: PictureRole, of id: MemeID, version: Int?, for viewer: Principal,
    _ read: @escaping @Sendable (PictureRow, borrowing Transaction) throws -> File
  ) async throws -> (row: PictureRow, file: File) {
    let policy = AccessPolicy(viewer)
    let query = pictureQuery(role, of: id, policy)
    let found = try await readers.read { db in
      guard let row = try pictureRow(PictureNumber(role), of: id, query, policy.person, in: db)
      else { throw try absence(of: id, for: viewer, role, in: db) }
      return (row: row, file: try read(row, db))
    }
    if let refusal = MemeError.refusal(of: version, at: found.row.version) { throw refusal }
    return found
  }

  /// One of the files of this version of the meme, read on the calling thread. Does not check access rights: the viewer
  /// must already be authorized.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/versionMismatch`` if the
  ///   meme has another version.
  package func file(
    _ role: PictureRole, of id: MemeID, at version: Int
  ) throws -> Bytes {
    try file(PictureNumber(role), of: id, at: version)
  }

  /// See ``file(_:of:at:)-(PictureRole,_,_)``.
  package func file(
    _ number: PictureNumber, of id: MemeID, at version: Int
  ) throws -> Bytes {
    let found = try readers.blockingRead { db in
      try placedFile(number, of: id, at: version, in: db)
    }
    return try blobs.blockingFile(found).bytes
  }

  /// The facts of the pictures in boxes of this version of the meme, in their order.
  ///
  /// - Throws: ``MemeError/versionMismatch`` if the meme has another version, or was deleted.
  package func boxedFacts(of id: MemeID, at version: Int) async throws -> [PictureFacts] {
    try await readers.read { db in
      let current: Int? = try db.value(
        "SELECT version FROM memes WHERE id = ? AND deleted_at IS NULL", id.bytes)
      guard current == version else { throw MemeError.versionMismatch }
      return try db.all(
        """
        SELECT format, width, height, byte_count, digest FROM pictures
        WHERE meme = (SELECT seq FROM memes WHERE id = ?) AND role >= ? ORDER BY role
        """, id.bytes, PictureNumber.firstBoxed
      ) { row in try PictureFacts(&row) }
    }
  }

  /// A picture in a box of this version of the meme. Does not check access rights: the viewer must already be
  /// authorized.
  ///
  /// - Throws: see ``file(_:of:at:)-(PictureRole,_,_)``.
  package func boxedPicture(
    _ index: Int, of id: MemeID, at version: Int
  ) async throws -> PictureFile {
    let found = try await readers.read { db in
      try placedFile(.boxed(index), of: id, at: version, in: db)
    }
    return try await blobs.file(found).loaded()
  }

  /// Verifies that writes reach the disk, with a write that changes nothing.
  package func checkHealth() async throws {
    try await health.transaction { db in try db.rewrite() }
  }
}

private let visiblePictureQuery = PerViewerSQL { pictureQuery(where: $0.sees()) }
private let anyPictureQuery = pictureQuery(where: "TRUE")

private func pictureQuery(
  _ role: PictureRole, of id: MemeID, _ policy: AccessPolicy
) -> String {
  role == .original ? pictureQuery(where: policy.owns(.meme(id))) : visiblePictureQuery[policy]
}

private func pictureQuery(where condition: String) -> String {
  """
  SELECT pictures.format, pictures.width, pictures.height, pictures.byte_count, pictures.digest, pictures.blob,
    memes.version, memes.visibility
  FROM memes JOIN pictures ON pictures.meme = memes.seq AND pictures.role = ?3
  WHERE memes.id = ?2 AND memes.deleted_at IS NULL AND \(condition)
  """
}

/// See ``MemeStore/file(_:of:at:)-(PictureRole,_,_)``.
func placedFile(
  _ number: PictureNumber, of id: MemeID, at version: Int, in db: borrowing Transaction
) throws -> PlacedFile {
  guard let row = try pictureRow(number, of: id, anyPictureQuery, nil, in: db) else {
    throw try absence(of: id, for: .admin, in: db)
  }
  guard row.version == version else { throw MemeError.versionMismatch }
  return try PlacedFile(row.facts, row.blob, in: db)
}

/// The facts of a ``StoredPicture``, and the row of its bytes.
private struct PictureRow: Sendable {
  let facts: PictureFacts
  let blob: Int64
  let version: Int
  let visibility: Visibility
}

/// The bytes of a file of which only the facts were read.
private struct UnreadBytes: RemoteBytes {
  let count: Int

  func bytes(in range: Range<Int>) async throws -> Bytes {
    throw MemeError.storage(DatabaseError(.misuse, "The bytes of this picture were not read."))
  }
}

private func pictureRow(
  _ number: PictureNumber, of id: MemeID, _ query: String, _ person: [UInt8]?,
  in db: borrowing Transaction
) throws -> PictureRow? {
  try db.first(query, person, id.bytes, number.rawValue) { row in
    PictureRow(
      facts: try PictureFacts(&row), blob: try row.next(), version: try row.next(),
      visibility: try row.nextVisibility())
  }
}

private func insertRow(
  _ new: NewMeme, by author: Int64?, fit: String, captions: String, pictures: String,
  in db: borrowing Transaction
) throws -> Int64 {
  let meme = new.meme
  let (recipe, style) = (meme.recipe, meme.recipe.style)
  return try db.insert(
    """
    INSERT INTO memes (
      id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, font,
      letter_case, align, chosen_style, layout, captions, crop, max_edge, fit, draft_digest, author, visibility,
      is_private_only, tags, remix_of, pictures, same_size
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING seq
    """,
    meme.id.bytes, meme.version, meme.createdAt.millisecondsSince1970,
    meme.updatedAt.millisecondsSince1970, recipe.top.text, recipe.bottom.text, meme.altText.text,
    style.fill.rgb, style.outline.rgb, style.outlineWidth, style.size, style.font.text,
    style.letterCase.rawValue, style.align.rawValue, recipe.choices.names,
    recipe.layout.rawValue, captions,
    recipe.crop?.description, recipe.maxEdge?.pixels, fit, new.draftDigest.bytes,
    author, meme.visibility.number, meme.isPrivateOnly, StoredTags.encode(meme.tags),
    meme.source?.bytes, pictures, recipe.sameSize)
}

/// The events of an imported meme happen with the import. Those with the time of an old meme would be given up at once.
private func renewEvents(
  of meme: Meme, at time: Timestamp, in db: borrowing Transaction
) throws {
  try db.run(
    "UPDATE events SET happened_at = ? WHERE happened_at = ? AND subject = ?",
    time.millisecondsSince1970, meme.createdAt.millisecondsSince1970, meme.id.bytes)
}

extension MemeStore {
  /// Stores a meme without an idempotency key.
  package func insert(_ meme: NewMeme) async throws -> Insertion {
    try await insert(meme, recording: nil)
  }
}
