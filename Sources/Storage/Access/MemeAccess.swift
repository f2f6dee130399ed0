import Memes
import SQL

// Access to one meme for one viewer: the meme, the reason why it is missing, and its ownership.

/// See ``MemeStore/draftDigest(of:by:)``.
func storedDigest(
  of id: MemeID, by viewer: Principal, in db: borrowing Transaction
) throws -> Digest? {
  let found = try db.first(
    """
    SELECT deleted_at IS NULL AND author IS NOT DISTINCT FROM \(AccessPolicy.asking), draft_digest FROM memes WHERE id = ?2
    UNION ALL SELECT FALSE, ?3 FROM deleted_memes WHERE id = ?2
    """, viewer.person?.bytes, id.bytes, [UInt8](repeating: 0, count: 32)
  ) { row in (isOwn: try row.next() as Bool, digest: try row.nextDigest()) }
  guard let found else { return nil }
  if found.isOwn { return found.digest }
  // The client must learn that the ID is taken, but not whether a hidden meme has taken it.
  if case MemeError.gone = try absence(of: id, for: viewer, in: db) { throw MemeError.gone }
  throw MemeError.idTaken
}

/// The meme as the viewer sees it; `nil` if the viewer sees no such meme, or if it is deleted.
func visibleMeme(
  _ id: MemeID, for viewer: Principal, in db: borrowing Transaction
) throws -> Meme? {
  let policy = AccessPolicy(viewer)
  return try db.first(visibleMemeQuery[policy], policy.person, id.bytes) {
    row in try Meme(&row)
  }
}

let visibleMemeQuery = PerViewerSQL { policy in
  "\(selectMeme(policy)) WHERE memes.id = ?2 AND memes.deleted_at IS NULL AND \(policy.sees())"
}

/// The `memes.seq` of a meme that the viewer may see.
///
/// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer sees no such meme.
func visibleSequence(
  of id: MemeID, for viewer: Principal, in db: borrowing Transaction
) throws -> Int64 {
  let policy = AccessPolicy(viewer)
  let found: Int64? = try db.value(visibleSequenceQuery[policy], policy.person, id.bytes)
  guard let found else { throw try absence(of: id, for: viewer, in: db) }
  return found
}

private let visibleSequenceQuery = PerViewerSQL { policy in
  "SELECT seq FROM memes WHERE id = ?2 AND deleted_at IS NULL AND \(policy.sees())"
}

/// The reason why the viewer finds no meme with this ID: ``MemeError/gone`` if the viewer could see it before it was
/// moved to the trash or purged, otherwise ``MemeError/notFound``.
///
/// - Parameter role: the requested picture. A viewer without access to the original does not learn either that it is
///   gone.
func absence(
  of id: MemeID, for viewer: Principal, _ role: PictureRole = .image,
  in db: borrowing Transaction
) throws -> MemeError {
  let policy = AccessPolicy(viewer)
  func condition(_ table: String) -> String {
    role == .original ? policy.owns(.meme(id), table) : policy.sees(table)
  }
  return try db.exists(
    """
    SELECT 1 FROM memes WHERE id = ?2 AND deleted_at IS NOT NULL AND \(condition("memes"))
    UNION ALL SELECT 1 FROM deleted_memes WHERE id = ?2 AND \(condition("deleted_memes"))
    """, policy.person, id.bytes) ? .gone : .notFound
}

/// The facts that a change of a meme needs.
struct OwnedMeme {
  let sequence: Int64
  let version: Int
  let isDeleted: Bool
  /// `nil` if the meme has no author.
  let author: UserID?
  /// Whether the viewer is the author. An admin has an owner's rights on the memes of other people too.
  let isViewers: Bool
}

/// The meme that the viewer wants to change. It may be in the trash.
///
/// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer sees no such meme; ``MemeError/unauthorized``
///   or ``MemeError/forbidden`` if the viewer sees it without an owner's rights.
func ownedMeme(
  _ id: MemeID, by viewer: Principal, in db: borrowing Transaction
) throws -> OwnedMeme {
  let policy = AccessPolicy(viewer)
  try db.lock(meme: id, by: viewer.person)
  let found = try db.first(
    """
    SELECT seq, version, deleted_at IS NOT NULL, (SELECT id FROM users WHERE seq = author),
      author IS NOT NULL AND author IS NOT DISTINCT FROM \(AccessPolicy.asking),
      coalesce(\(policy.owns(.meme(id))), FALSE)
    FROM memes
    WHERE id = ?2 AND \(policy.sees())
    """, policy.person, id.bytes
  ) { row in
    (
      meme: OwnedMeme(
        sequence: try row.next(), version: try row.next(), isDeleted: try row.next(),
        author: try row.nextUserID(), isViewers: try row.next()),
      isOwned: try row.next() as Bool
    )
  }
  guard let found else { throw try absence(of: id, for: viewer, in: db) }
  guard found.isOwned else { throw viewer.refusal }
  return found.meme
}
