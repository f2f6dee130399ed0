import Memes
import SQLite

/// A way down or up all memes, over as many numbers as a person follows people: it costs less than a look for each of them.
struct ListWalk {
  /// The `users.seq` of whose way it is.
  let person: Int64
  /// The place that it begins behind, and the last number that it looks at.
  let start, end: Int64
  /// Whether there may be more behind it.
  let isCut: Bool

  /// - Parameter least: how many numbers it goes over at least.
  /// - Throws: ``MemeError/unauthorized`` where the person left.
  init(
    of person: UserID, _ direction: MemeDirection, from place: Int64,
    atLeast least: Int = 0, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) {
    let found = try db.first(
      "SELECT seq, following, (SELECT max(seq) FROM memes) FROM users WHERE id = ?", person.bytes
    ) { row throws(SQLiteError) in
      (number: try row[0] as Int64, follows: try row[1] as Int64, newest: try row[2] as Int64?)
    }
    guard let found else { throw .unauthorized }
    let (newest, length) = (found.newest ?? 0, max(found.follows, Int64(least)))
    (self.person, start) = (found.number, max(0, min(place, newest + 1)))
    switch direction {
    case .newest: (end, isCut) = (max(start - length, 1), start - length > 1)
    case .oldest: (end, isCut) = (start + length, start + length < newest)
    }
  }
}
