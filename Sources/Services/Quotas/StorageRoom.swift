package import Memes
package import Storage

/// Checks whether there is space for new data, on the disk and within the quota.
///
/// The store checks the quota again in its transaction, so that concurrent requests cannot exceed it. This check avoids
/// drawing a picture that the store would reject.
package struct StorageRoom: Sendable {
  /// Whether the disk has room for more data; the rest is reserved for deletions.
  let hasRoom: @Sendable () -> Bool
  private let isReachable: @Sendable () -> Bool
  private let quotas: Quotas?

  /// The limits in addition to the disk space.
  package struct Quotas: Sendable {
    let store: UsageStore
    let limits: StorageLimits
    let days: DailyNetworkQuota?

    /// - Parameter days: `nil` sets no daily limit per network.
    package init(store: UsageStore, limits: StorageLimits, days: DailyNetworkQuota?) {
      (self.store, self.limits, self.days) = (store, limits, days)
    }
  }

  /// - Parameters:
  ///   - quotas: `nil` sets no quotas.
  ///   - isReachable: whether the database answers, as far as that is known without asking it.
  package init(
    _ quotas: Quotas? = nil, hasRoom: @escaping @Sendable () -> Bool,
    isReachable: @escaping @Sendable () -> Bool = { true }
  ) {
    (self.quotas, self.hasRoom, self.isReachable) = (quotas, hasRoom, isReachable)
  }

  /// - Throws: ``MemeError/storageFull``; ``MemeError/storageBusy``; ``MemeError/quotaExceeded(_:)`` if the quota is
  ///   used up; the errors of the store.
  package func check(for viewer: Principal) async throws {
    guard isReachable() else { throw MemeError.storageBusy }
    guard hasRoom() else { throw MemeError.storageFull }
    guard let quotas else { return }
    if let quota = try await quotas.store.quota(of: viewer, quotas.limits), quota.left == 0 {
      throw MemeError.quotaExceeded(quota)
    }
    if let (days, network) = day(of: viewer) { try days.take(0, for: network) }
  }

  /// Counts bytes for the network of an anonymous caller while `store` runs.
  ///
  /// - Parameter isStored: whether the result means that `store` stored new data, rather than found existing data.
  /// - Throws: ``MemeError/quotaExceeded(_:)``; the errors of `store`.
  package func storing<Value>(
    _ bytes: Int, for viewer: Principal, isStored: (Value) -> Bool,
    _ store: () async throws -> Value
  ) async throws -> Value {
    guard bytes > 0, let (days, network) = day(of: viewer) else { return try await store() }
    try days.take(bytes, for: network)
    do {
      let value = try await store()
      if !isStored(value) { days.giveBack(bytes, to: network) }
      return value
    } catch {
      days.giveBack(bytes, to: network)
      throw error
    }
  }

  /// Whether the caller's bytes count for the network of the current request.
  package func isCounted(_ viewer: Principal) -> Bool { day(of: viewer) != nil }

  /// Reverts the count for bytes that were stored and then deleted.
  package func giveBack(_ bytes: Int, to network: ClientNetwork) {
    quotas?.days?.giveBack(bytes, to: network)
  }

  /// Local requests do not count: all clients behind an untrusted proxy on this machine would share one network.
  private func day(of viewer: Principal) -> (DailyNetworkQuota, ClientNetwork)? {
    guard let days = quotas?.days, !viewer.isSignedIn, let requester = Requester.current,
      requester.pays, !requester.isLocal, case .network(let network) = requester.caller
    else { return nil }
    return (days, network)
  }
}
