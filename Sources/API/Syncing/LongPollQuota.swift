import HTTP
import Memes
import Synchronization

/// Counts the open requests of one kind that go on while nothing happens, for each person and network: every one holds a connection. Safe
/// to use from any thread.
final class WaitingSeats: Sendable {
  private let perPerson: Int
  private let perNetwork: Int
  private let name: String
  private let taken = Mutex(Taken())

  private struct Taken {
    var persons: [UserID: Int] = [:]
    var networks: [ClientNetwork: Int] = [:]
  }

  /// - Parameters:
  ///   - perPerson: more than anybody has devices and tabs open.
  ///   - perNetwork: of all persons who ask from there.
  ///   - name: the kind of request, for people: "streams".
  init(perPerson: Int, perNetwork: Int, of name: String) {
    (self.perPerson, self.perNetwork, self.name) = (perPerson, perNetwork, name)
  }

  /// - Parameter network: `nil` if it is not counted.
  /// - Throws: 429 if the person or the network has as many as there may be.
  func take(for person: UserID, from network: ClientNetwork?) throws(Problem) -> Seat {
    let (ofPerson, ofNetwork) = taken.withLock { taken in
      let counts = (taken.persons[person] ?? 0, network.flatMap { taken.networks[$0] } ?? 0)
      if counts.0 < perPerson, counts.1 < perNetwork {
        taken.persons[person] = counts.0 + 1
        if let network { taken.networks[network] = counts.1 + 1 }
      }
      return counts
    }
    if ofPerson >= perPerson {
      throw Self.refusal(
        "You have \(perPerson) \(name) open. Close one, or try again after the time in Retry-After."
      )
    }
    if ofNetwork >= perNetwork {
      throw Self.refusal(
        "Your network has \(perNetwork) \(name) open. Try again after the time in Retry-After.")
    }
    return Seat(person, network, self)
  }

  private static func refusal(_ detail: String) -> Problem {
    Problem(.tooManyRequests, detail, headers: Headers([(.retryAfter, "15")]))
  }

  private func leave(_ person: UserID, _ network: ClientNetwork?) {
    taken.withLock { taken in
      let ofPerson = (taken.persons[person] ?? 1) - 1
      taken.persons[person] = ofPerson > 0 ? ofPerson : nil
      guard let network else { return }
      let ofNetwork = (taken.networks[network] ?? 1) - 1
      taken.networks[network] = ofNetwork > 0 ? ofNetwork : nil
    }
  }

  /// One of them, until it is freed.
  final class Seat: Sendable {
    private let person: UserID
    private let network: ClientNetwork?
    private let seats: WaitingSeats

    fileprivate init(_ person: UserID, _ network: ClientNetwork?, _ seats: WaitingSeats) {
      (self.person, self.network, self.seats) = (person, network, seats)
    }

    deinit { seats.leave(person, network) }
  }
}
