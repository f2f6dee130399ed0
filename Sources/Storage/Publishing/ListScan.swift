import Memes
import SQL

/// A scan over all memes, down or up. It covers as many numbers as the viewer follows people, which costs less than one
/// index lookup for each followed person.
struct ListScan {
  /// The viewer's `users.seq`.
  let person: Int64
  /// The position after which the scan begins, and the last number that it covers.
  let start, end: Int64
  /// Whether more memes may exist after ``end``.
  let isCut: Bool

  /// - Parameter least: the minimum length of the scan.
  /// - Throws: ``MemeError/unauthorized`` if the account has been deleted.
  init(
    of person: UserID, _ direction: MemeDirection, from place: Int64,
    atLeast least: Int = 0, in db: borrowing Transaction
  ) throws {
    let found = try db.first(
      "SELECT seq, following, (SELECT max(seq) FROM memes) FROM users WHERE id = ?", person.bytes
    ) { row in
      (number: try row[0] as Int64, follows: try row[1] as Int64, newest: try row[2] as Int64?)
    }
    guard let found else { throw MemeError.unauthorized }
    let (newest, length) = (found.newest ?? 0, max(found.follows, Int64(least)))
    (self.person, start) = (found.number, max(0, min(place, newest + 1)))
    switch direction {
    case .newest: (end, isCut) = (max(start - length, 1), start - length > 1)
    case .oldest: (end, isCut) = (start + length, start + length < newest)
    }
  }
}
