import HTTP
import Memes
import Synchronization

/// Counts what each person has open of one kind of request that goes on while nothing happens: every one holds a connection. Safe to
/// use from any thread.
final class WaitingSeats: Sendable {
  private let perPerson: Int
  private let name: String
  private let taken = Mutex<[UserID: Int]>([:])

  /// - Parameters:
  ///   - perPerson: more than anybody has devices and tabs open.
  ///   - name: what is counted, as it is told: "streams".
  init(perPerson: Int, of name: String) { (self.perPerson, self.name) = (perPerson, name) }

  /// - Throws: 429 where the person has as many as there may be.
  func take(for person: UserID) throws(Problem) -> Seat {
    let isFree = taken.withLock { taken in
      guard taken[person, default: 0] < perPerson else { return false }
      taken[person, default: 0] += 1
      return true
    }
    guard isFree else {
      throw Problem(
        .tooManyRequests,
        "You have \(perPerson) \(name) open. Close one, or try again after the time in Retry-After.",
        headers: Headers([(.retryAfter, "15")]))
    }
    return Seat(person, self)
  }

  private func leave(_ person: UserID) {
    taken.withLock { taken in
      let left = taken[person, default: 0] - 1
      taken[person] = left > 0 ? left : nil
    }
  }

  /// One of them, until it is freed.
  final class Seat: Sendable {
    private let person: UserID
    private let seats: WaitingSeats

    fileprivate init(_ person: UserID, _ seats: WaitingSeats) {
      (self.person, self.seats) = (person, seats)
    }

    deinit { seats.leave(person) }
  }
}
