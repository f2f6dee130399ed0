import HTTP
import Memes
import Synchronization

/// Counts the streams that each person has open: every one holds a connection. Safe to use from any thread.
final class StreamSeats: Sendable {
  /// More than anybody has devices and tabs open.
  static let perPerson = 16

  private let taken = Mutex<[UserID: Int]>([:])

  /// - Throws: 429 where the person has as many as there may be.
  func take(for person: UserID) throws(Problem) -> Seat {
    let isFree = taken.withLock { taken in
      guard taken[person, default: 0] < Self.perPerson else { return false }
      taken[person, default: 0] += 1
      return true
    }
    guard isFree else {
      throw Problem(
        .tooManyRequests,
        "You have \(Self.perPerson) streams open. Close one, or try again after the time in Retry-After.",
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

  /// One of the streams, until it is freed.
  final class Seat: Sendable {
    private let person: UserID
    private let seats: StreamSeats

    fileprivate init(_ person: UserID, _ seats: StreamSeats) {
      (self.person, self.seats) = (person, seats)
    }

    deinit { seats.leave(person) }
  }
}
