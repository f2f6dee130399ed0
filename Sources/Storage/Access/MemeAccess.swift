import Memes
import SQLite

// One meme, for somebody: as it is, why it is not there, and whether it is theirs.

/// As ``MemeStore/draftDigest(of:by:)``.
func storedDigest(
  of id: MemeID, by viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Digest? {
  let found = try db.first(
    """
    SELECT deleted_at IS NULL AND author IS \(Sight.asking), draft_digest FROM memes WHERE id = ?2
    UNION ALL SELECT 0, zeroblob(32) FROM deleted_memes WHERE id = ?2
    """, viewer.person?.bytes, id.bytes
  ) { row throws(SQLiteError) in (isOwn: try row[0] as Bool, digest: try row.digest(at: 1)) }
  guard let found else { return nil }
  if found.isOwn { return found.digest }
  // That it is taken, a client has to know; whether by something that it may not see is nobody's business.
  if case .gone = try absence(of: id, for: viewer, in: db) { throw .gone }
  throw .idTaken
}

/// The meme as this viewer sees it; `nil` where there is none for them, or it is deleted.
func visibleMeme(
  _ id: MemeID, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Meme? {
  let sight = Sight(viewer)
  return try db.first(visibleMemeQuery[sight], sight.person, id.bytes) {
    row throws(SQLiteError) in try Meme(row)
  }
}

let visibleMemeQuery = SightedText { sight in
  "\(selectMeme(sight)) WHERE memes.id = ?2 AND memes.deleted_at IS NULL AND \(sight.sees())"
}

/// The `memes.seq` of a meme that this viewer sees.
///
/// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is none for them.
func visibleSequence(
  of id: MemeID, for viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64 {
  let sight = Sight(viewer)
  let found = try db.first(visibleSequenceQuery[sight], sight.person, id.bytes) {
    row throws(SQLiteError) in try row[0] as Int64
  }
  guard let found else { throw try absence(of: id, for: viewer, in: db) }
  return found
}

private let visibleSequenceQuery = SightedText { sight in
  "SELECT seq FROM memes WHERE id = ?2 AND deleted_at IS NULL AND \(sight.sees())"
}

/// Why there is nothing of this id for this viewer: ``MemeError/gone`` where it was there for them, and is in the trash or was
/// purged.
///
/// - Parameter role: what of the meme was asked for. Who could not have the original does not hear where it is gone either.
func absence(
  of id: MemeID, for viewer: Viewer, _ role: PictureRole = .image,
  in db: borrowing Transaction<MemeError>
) throws(MemeError) -> MemeError {
  let sight = Sight(viewer)
  func condition(_ table: String) -> String {
    role == .original ? sight.owns(.meme(id), table) : sight.sees(table)
  }
  let deleted = try db.first(
    """
    SELECT 1 FROM memes WHERE id = ?2 AND deleted_at IS NOT NULL AND \(condition("memes"))
    UNION ALL SELECT 1 FROM deleted_memes WHERE id = ?2 AND \(condition("deleted_memes"))
    """, sight.person, id.bytes
  ) { _ in true }
  return deleted == nil ? .notFound : .gone
}

/// What a change of a meme needs to know of it.
struct OwnedMeme {
  let sequence: Int64
  let version: Int
  let isDeleted: Bool
  /// `nil` where it is nobody's.
  let author: UserID?
  /// Whether the viewer made it: who is an admin owns others' too.
  let isViewers: Bool
}

/// The meme, in the trash or not, for somebody who is about to change it.
///
/// - Throws: ``MemeError/notFound``, ``MemeError/gone`` where there is none for them; ``MemeError/unauthorized``,
///   ``MemeError/forbidden`` where they only see it.
func ownedMeme(
  _ id: MemeID, by viewer: Viewer, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> OwnedMeme {
  let sight = Sight(viewer)
  let found = try db.first(
    """
    SELECT seq, version, deleted_at IS NOT NULL, coalesce(\(sight.owns(.meme(id))), 0),
      author IS NOT NULL AND author IS \(Sight.asking), (SELECT id FROM users WHERE seq = author)
    FROM memes
    WHERE id = ?2 AND \(sight.sees())
    """, sight.person, id.bytes
  ) { row throws(SQLiteError) in
    (
      meme: OwnedMeme(
        sequence: try row[0], version: try row[1], isDeleted: try row[2],
        author: try row.userID(at: 5), isViewers: try row[4]),
      isOwned: try row[3] as Bool
    )
  }
  guard let found else { throw try absence(of: id, for: viewer, in: db) }
  guard found.isOwned else { throw viewer.refusal }
  return found.meme
}
