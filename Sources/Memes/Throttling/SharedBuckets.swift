/// Token buckets that several servers share: those of the limits with ``Limit/isShared``.
package protocol SharedBuckets: Sendable {
  /// Takes one token from each bucket, or none from any of them.
  ///
  /// - Returns: the state afterwards.
  func take(_ buckets: [SharedBucket]) async throws -> SharedTaking

  /// Returns the tokens of one call.
  func giveBack(_ buckets: [SharedBucket]) async throws

  /// Refills the buckets.
  func forget(_ buckets: [SharedBucket]) async throws
}

/// A bucket that several servers share.
package struct SharedBucket: Sendable, Equatable {
  /// The limit and the caller, as text.
  package let name: String
  package let rate: Rate

  package init(name: String, rate: Rate) { (self.name, self.rate) = (name, rate) }
}

/// The state of shared buckets after a call.
package struct SharedTaking: Sendable, Equatable {
  package let isAllowed: Bool
  /// The time until each bucket is full, in their order. A rejected call may name fewer buckets.
  package let untilFull: [Duration]

  package init(isAllowed: Bool, untilFull: [Duration]) {
    (self.isAllowed, self.untilFull) = (isAllowed, untilFull)
  }
}

extension Limit {
  /// Whether the servers of one database count together: limits that protect secrets and mailboxes. The others protect
  /// the machine, which each server has for itself.
  package var isShared: Bool {
    switch self {
    case .registration, .password, .singleSignOn, .wrongPassword, .wrongCode, .passwordReset,
      .report, .notice,
      .newDevice, .confirmation:
      true
    case .change, .settings, .export, .upload, .piece, .preview, .render, .search, .comment, .share,
      .mail:
      false
    }
  }

  /// The buckets of a caller: its own and, if the limit counts sites, that of its site.
  func sharedBuckets(of caller: Caller) -> [SharedBucket] {
    let own = SharedBucket(name: "\(rawValue) \(caller.text)", rate: rate)
    guard let siteRate, let site = caller.site else { return [own] }
    return [own, SharedBucket(name: "\(rawValue) site \(site.text)", rate: siteRate)]
  }
}

extension Caller {
  /// Different for any two callers.
  fileprivate var text: String {
    switch self {
    case .person(let id): "person \(id)"
    case .network(let network): "network \(network.text)"
    case .guesser(.named(let name), let network): "guesser \(network.text) \(name)"
    case .guesser(.person(let id), let network): "guesser \(network.text) person \(id)"
    case .mailbox(let address): "mailbox \(address)"
    }
  }
}
