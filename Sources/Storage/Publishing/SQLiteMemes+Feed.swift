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
    let found = try db.first(
      "SELECT seq, following, (SELECT max(seq) FROM memes) FROM users WHERE id = ?", person.bytes
    ) { row throws(SQLiteError) in
      (number: try row[0] as Int64, follows: try row[1] as Int64, newest: try row[2] as Int64?)
    }
    guard let found else { throw .unauthorized }
    let start = min(position?.sequence ?? .max, (found.newest ?? 0) + 1)
    let end = max(start - found.follows, 1)
    let decode = { (row: borrowing Row) throws(SQLiteError) in try row[0] as Int64 }
    var memes = try db.all(Self.walkQuery, found.number, start, count, end, decode: decode)
    if memes.count < count, end > 1 {
      memes += try db.all(
        Self.feedQuery, found.number, end, count - memes.count, decode: decode)
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
