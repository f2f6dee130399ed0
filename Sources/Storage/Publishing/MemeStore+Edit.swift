package import Memes
import SQL

extension MemeStore {
  /// Replaces this version of a meme, together with the files that changed.
  ///
  /// - Parameter entry: written if the viewer is an admin and edits another user's meme.
  /// - Returns: the current meme, with its current counts.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the meme; ``MemeError/versionMismatch`` if the meme has another version, checked in the same
  ///   transaction; ``MemeError/invalid(field:_:)`` if the new original is an upload that has expired.
  package func replace(
    _ version: Int, with revised: RevisedMeme, by viewer: Principal, recording entry: AuditEntry?
  ) async throws -> Meme {
    let meme = revised.meme
    let fit = try StoredFit.encode(meme.fit)
    let captions = try StoredCaption.encode(meme.recipe.captions)
    let pictures = try StoredPictureBox.encode(meme.recipe.pictures)
    let changed = revised.files
    let bytes = changed.reduce(0) { $0 + $1.facts.byteCount }
    let words = meme.searchWords
    let files = try await prepare(changed, at: meme.updatedAt)
    return try await writer.write(bytes: bytes) { db in
      let owned = try ownedMeme(meme.id, by: viewer, in: db)
      guard !owned.isDeleted else { throw MemeError.gone }
      guard owned.version == version else { throw MemeError.versionMismatch }
      if !owned.isViewers { try record(entry, in: db) }
      if let grown = try growth(of: owned.sequence, to: revised, in: db) {
        try limits.check(
          adding: grown, by: try authorNumber(meme.author?.id, in: db), in: db)
      }
      try update(owned.sequence, to: meme, fit: fit, captions: captions, pictures: pictures, in: db)
      try replaceTags(with: meme.tags, of: owned.sequence, in: db)
      try updateWords(words, of: owned.sequence, in: db)
      // Before the former pictures are removed: a new one may be a copy of a former one.
      let blobs = try files.map { try insertBlob($0.file, at: meme.updatedAt, in: db) }
      if revised.boxed != nil { try removeBoxedPictures(of: owned.sequence, in: db) }
      for file in files { try removePicture(file.number, of: owned.sequence, in: db) }
      try insertPictures(files, blobs, of: owned.sequence, in: db)
      guard let stored = try visibleMeme(meme.id, for: viewer, in: db) else {
        throw MemeError.notFound
      }
      return Written(stored, .edited(meme.id), of: stored.author?.id)
    }
  }

  /// Makes the user the author of a meme that has none. Its `deleteToken` is then no longer valid. Has no effect if the
  /// user already is the author, so a client may repeat a request after it lost the response.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/claimed`` if the meme has another author;
  ///   ``MemeError/unauthorized`` if the account was deleted.
  package func claim(_ id: MemeID, for person: UserID) async throws -> Meme {
    try await writer.write { db in
      let viewer = Principal.person(person)
      try db.lock(meme: id, by: person)
      guard let number = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      let bytes: Int? = try db.value(
        """
        SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures
        WHERE meme = (SELECT seq FROM memes WHERE id = ? AND author IS NULL AND deleted_at IS NULL)
        """, id.bytes)
      if let bytes, bytes > 0 { try limits.check(adding: bytes, by: number, in: db) }
      let claimed: Int64? = try db.value(
        """
        UPDATE memes SET author = ? WHERE id = ? AND author IS NULL AND deleted_at IS NULL
        RETURNING seq
        """, number, id.bytes)
      if let claimed { try updateWords(by: number, of: claimed, in: db) }
      guard let meme = try visibleMeme(id, for: viewer, in: db) else {
        throw try absence(of: id, for: viewer, in: db)
      }
      guard viewer.owns(meme) else { throw MemeError.claimed }
      return claimed == nil ? Written(meme) : Written(meme, .claimed(id), of: person)
    }
  }
}

/// The number of bytes by which a meme grows. `nil` if it does not grow, or if the picture is the same and only its
/// captions change.
private func growth(
  of sequence: Int64, to revised: RevisedMeme, in db: borrowing Transaction
) throws -> Int? {
  let files = revised.files
  guard !files.isEmpty || revised.boxed != nil else { return nil }
  let recipe = revised.meme.recipe
  let isCutAsBefore: Bool? = try db.value(
    "SELECT crop IS NOT DISTINCT FROM ? AND max_edge IS NOT DISTINCT FROM ? FROM memes WHERE seq = ?",
    recipe.crop?.description, recipe.maxEdge?.pixels, sequence)
  var (grown, isAnother) = (0, isCutAsBefore != true || revised.boxed != nil)
  if revised.boxed != nil { grown -= try boxedBytes(of: sequence, in: db) }
  for new in files {
    let facts = new.facts
    if new.number.rawValue >= PictureNumber.firstBoxed {
      grown += facts.byteCount
      continue
    }
    let before = try db.first(
      "SELECT format, width, height, byte_count FROM pictures WHERE meme = ? AND role = ?",
      sequence, new.number.rawValue
    ) { row in
      (
        format: try row.next() as String, width: try row.next() as Int,
        height: try row.next() as Int, bytes: try row.next() as Int
      )
    }
    grown += facts.byteCount - (before?.bytes ?? 0)
    let isAsBefore =
      before.map {
        $0 == (facts.format.rawValue, facts.size.width, facts.size.height, $0.bytes)
      } ?? false
    isAnother = isAnother || new.number == PictureNumber(.original) || !isAsBefore
  }
  return isAnother && grown > 0 ? grown : nil
}

private func update(
  _ sequence: Int64, to meme: Meme, fit: String, captions: String, pictures: String,
  in db: borrowing Transaction
) throws {
  let (recipe, style) = (meme.recipe, meme.recipe.style)
  try db.run(
    """
    UPDATE memes SET
      version = \(NextVersion.sql()), updated_at = ?, top = ?, bottom = ?, alt_text = ?, fill = ?, outline = ?, outline_width = ?, size = ?,
      font = ?, letter_case = ?, align = ?, chosen_style = ?, layout = ?, captions = ?, crop = ?, max_edge = ?, fit = ?,
      visibility = ?, is_private_only = ?, tags = ?, remix_of = ?, pictures = ?, same_size = ?
    WHERE seq = ?
    """,
    meme.updatedAt.millisecondsSince1970, recipe.top.text, recipe.bottom.text,
    meme.altText.text, style.fill.rgb, style.outline.rgb, style.outlineWidth, style.size,
    style.font.text, style.letterCase.rawValue, style.align.rawValue, recipe.choices.names,
    recipe.layout.rawValue, captions, recipe.crop?.description, recipe.maxEdge?.pixels, fit,
    meme.visibility.number, meme.isPrivateOnly, StoredTags.encode(meme.tags), meme.source?.bytes,
    pictures, recipe.sameSize, sequence)
}

private func removePicture(
  _ number: PictureNumber, of sequence: Int64, in db: borrowing Transaction
) throws {
  let blob: Int64? = try db.value(
    "DELETE FROM pictures WHERE meme = ? AND role = ? RETURNING blob", sequence, number.rawValue)
  if let blob { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
}

/// Removes all pictures in boxes.
private func removeBoxedPictures(of sequence: Int64, in db: borrowing Transaction) throws {
  let blobs: [Int64] = try db.column(
    "DELETE FROM pictures WHERE meme = ? AND role >= ? RETURNING blob", sequence,
    PictureNumber.firstBoxed)
  for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
}

/// The size of all pictures in boxes.
private func boxedBytes(of sequence: Int64, in db: borrowing Transaction) throws -> Int {
  try db.value(
    "SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM pictures WHERE meme = ? AND role >= ?",
    sequence, PictureNumber.firstBoxed) ?? 0
}
