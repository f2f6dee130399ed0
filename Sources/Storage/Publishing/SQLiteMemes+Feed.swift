import Memes
import SQLite

/// The feed: who follows many sees much of what is new, so a walk down the newest memes finds a page soon; who follows few, or
/// people who make little, has it put together of the newest meme of each.
///
/// The walk is as long as the person follows people, which costs less than a look for each of them: docs/decisions/0044.
extension SQLiteMemes {
  func feed(
    of viewer: Viewer, after position: ListPosition?, _ count: Int,
    in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [ListPosition] {
    guard let person = viewer.person else { throw .unauthorized }
    let walk = try ListWalk(of: person, .newest, from: position?.sequence ?? .max, in: db)
    let decode = { (row: borrowing Row) throws(SQLiteError) in try row[0] as Int64 }
    var memes = try db.all(
      Self.walkQuery, walk.person, walk.start, count, walk.end, decode: decode)
    if memes.count < count, walk.isCut {
      memes += try db.all(
        Self.feedQuery, walk.person, walk.end, count - memes.count, decode: decode)
    }
    return memes.map { ListPosition(sequence: $0) }
  }

  /// `?1` is the `users.seq` of whose feed it is; memes before `?2` down to `?4`, `?3` at most.
  static let walkQuery = """
    SELECT seq FROM memes INDEXED BY memes_listed
    WHERE deleted_at IS NULL AND seq < ?2 AND seq >= ?4
      AND (author = ?1
        OR visibility = 0 AND \(Sight.follows("?1", "memes.author"))
        OR visibility = 1 AND \(Sight.follows("?1", "memes.author"))
          AND \(Sight.follows("memes.author", "?1")))
    ORDER BY seq DESC LIMIT ?3
    """

  /// `?1` is the `users.seq` of whose feed it is; memes before `?2`, `?3` at most.
  static let feedQuery = MemeDirection.newest.merged(
    Visibility.allCases.map { MemeDirection.newest.memes(of: "?1", $0) }
      + [Visibility.public, .friends].map { MemeDirection.newest.followed(by: "?1", $0) })
}
