import HTTP
import Memes
import Synchronization

/// Limits the number of waiting requests of one kind, for each user and each network, because every one holds a
/// connection. Safe to use from any thread.
final class LongPollQuota: Sendable {
  private let perPerson: Int
  private let perNetwork: Int
  private let name: String
  private let taken = Mutex(Taken())

  private struct Taken {
    var persons: [UserID: Int] = [:]
    var networks: [ClientNetwork: Int] = [:]
  }

  /// - Parameters:
  ///   - perPerson: the limit for a user: more than the devices and tabs that a user has open.
  ///   - perNetwork: the limit for all users in a network.
  ///   - name: the kind of request in error messages, for example "streams".
  init(perPerson: Int, perNetwork: Int, of name: String) {
    (self.perPerson, self.perNetwork, self.name) = (perPerson, perNetwork, name)
  }

  /// Takes a lease.
  ///
  /// - Parameter network: `nil` if it is not counted.
  /// - Throws: `tooManyRequests` if the user or the network has reached the limit.
  func take(for person: UserID, from network: ClientNetwork?) throws(Problem) -> Lease {
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
        "You have \(perPerson) open \(name), which is the limit. Close one, or try again after the time in Retry-After."
      )
    }
    if ofNetwork >= perNetwork {
      throw Self.refusal(
        "Your network has \(perNetwork) open \(name), which is the limit. Try again after the time in Retry-After."
      )
    }
    return Lease(person, network, self)
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

  /// A waiting request. Deallocation frees the lease.
  final class Lease: Sendable {
    private let person: UserID
    private let network: ClientNetwork?
    private let quota: LongPollQuota

    fileprivate init(_ person: UserID, _ network: ClientNetwork?, _ quota: LongPollQuota) {
      (self.person, self.network, self.quota) = (person, network, quota)
    }

    deinit { quota.leave(person, network) }
  }
}
