import Memes
import SQL

/// The feed. For a person who follows many people, a large part of all new memes belongs to the feed, so a scan down
/// the newest memes soon fills a page. For others, the feed is merged from the newest memes of each followed person.
///
/// The scan covers as many numbers as the person follows people, which costs less than one index lookup for each of
/// them: docs/decisions/0044.
extension MemeStore {
  func feed(
    of viewer: Principal, after position: ListPosition?, _ count: Int,
    in db: borrowing Transaction
  ) throws -> [ListPosition] {
    guard let person = viewer.person else { throw MemeError.unauthorized }
    let walk = try ListScan(of: person, .newest, from: position?.sequence ?? .max, in: db)
    let decode = { (row: inout Row) in try row.next() as Int64 }
    var memes = try db.all(
      Self.walkQuery, walk.person, walk.start, count, walk.end, decode: decode)
    if memes.count < count, walk.isCut {
      memes += try db.all(
        Self.feedQuery, walk.person, walk.end, count - memes.count, decode: decode)
    }
    return memes.map { ListPosition(sequence: $0) }
  }

  /// `?1` is the `users.seq` of the viewer. Selects at most `?3` memes before `?2`, down to `?4`.
  static let walkQuery = """
    SELECT seq FROM memes INDEXED BY memes_listed
    WHERE deleted_at IS NULL AND seq < ?2 AND seq >= ?4
      AND (author = ?1
        OR visibility = 0 AND \(AccessPolicy.follows("?1", "memes.author"))
        OR visibility = 1 AND \(AccessPolicy.follows("?1", "memes.author"))
          AND \(AccessPolicy.follows("memes.author", "?1")))
    ORDER BY seq DESC LIMIT ?3
    """

  /// `?1` is the `users.seq` of the viewer. Selects at most `?3` memes before `?2`.
  static let feedQuery = MemeDirection.newest.merged(
    Visibility.allCases.map { MemeDirection.newest.memes(of: "?1", $0) }
      + [Visibility.public, .friends].map { MemeDirection.newest.followed(by: "?1", $0) })
}
