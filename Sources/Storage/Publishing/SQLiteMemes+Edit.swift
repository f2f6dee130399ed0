package import Memes
import SQLite

extension SQLiteMemes {
  package func replace(
    _ version: Int, with revised: RevisedMeme
  ) async throws(MemeError) -> Meme {
    let meme = revised.meme
    let fit = try StoredFit.encode(meme.fit)
    let captions = try StoredCaption.encode(meme.recipe.captions)
    let bytes = revised.files.keys.reduce(0) { $0 + meme.facts(of: $1).byteCount }
    return try await write(bytes: bytes) { db throws(MemeError) in
      let sequence = try updateRow(meme, at: version, fit: fit, captions: captions, in: db)
      for (role, file) in revised.files {
        try removePicture(role, of: sequence, in: db)
        try insertPicture(
          file, meme.facts(of: role), role, of: sequence, at: meme.updatedAt, in: db)
      }
      guard let stored = try visibleMeme(meme.id, in: db) else { throw .notFound }
      return Written(stored, .edited(meme.id))
    }
  }
}

/// - Returns: the row's number.
/// - Throws: ``MemeError/versionMismatch`` where the row is at another version.
private func updateRow(
  _ meme: Meme, at version: Int, fit: String, captions: String,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let (recipe, style) = (meme.recipe, meme.recipe.style)
  let sequence = try db.first(
    """
    UPDATE memes SET
      version = ?, updated_at = ?, top = ?, bottom = ?, alt_text = ?, fill = ?, outline = ?, outline_width = ?, size = ?,
      font = ?, letter_case = ?, align = ?, chosen_style = ?, layout = ?, captions = ?, crop = ?, max_edge = ?, fit = ?
    WHERE id = ? AND version = ? AND deleted_at IS NULL
    RETURNING seq
    """,
    meme.version, meme.updatedAt.millisecondsSince1970, recipe.top.text, recipe.bottom.text,
    meme.altText.text, style.fill.rgb, style.outline.rgb, style.outlineWidth, style.size,
    style.font.text, style.letterCase.rawValue, style.align.rawValue, recipe.choices.names,
    recipe.layout.rawValue,
    captions, recipe.crop?.description, recipe.maxEdge?.pixels, fit, meme.id.bytes, version
  ) { row throws(SQLiteError) in try row[0] as Int64 }
  if let sequence { return sequence }
  try refuseDeleted(meme.id.bytes, in: db)
  guard try visibleMeme(meme.id, in: db) != nil else { throw .notFound }
  throw .versionMismatch
}

private func removePicture(
  _ role: PictureRole, of sequence: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) {
  let blob = try db.first(
    "DELETE FROM pictures WHERE meme = ? AND role = ? RETURNING blob", sequence, role.rawValue
  ) { row throws(SQLiteError) in try row[0] as Int64 }
  if let blob { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
}
