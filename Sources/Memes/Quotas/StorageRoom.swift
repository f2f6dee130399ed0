/// Whether there is room for what is to be stored: on the disk, and within a quota.
///
/// The store compares with the quota once more, so that many at once do not exceed it. This one spares the work for a picture that
/// would be refused there.
package struct StorageRoom: Sendable {
  /// Whether the disk takes more; what is left below that is for deletions.
  let hasRoom: @Sendable () -> Bool
  private let quotas: Quotas?

  /// The bounds beside the disk.
  package struct Quotas: Sendable {
    let store: any UsageStore
    let limits: StorageLimits
    let days: NetworkDays?

    /// - Parameter days: `nil`: a network may store as much as it likes.
    package init(store: any UsageStore, limits: StorageLimits, days: NetworkDays?) {
      (self.store, self.limits, self.days) = (store, limits, days)
    }
  }

  /// - Parameter quotas: `nil`: there are none.
  package init(_ quotas: Quotas? = nil, hasRoom: @escaping @Sendable () -> Bool) {
    (self.quotas, self.hasRoom) = (quotas, hasRoom)
  }

  /// - Throws: ``MemeError/storageFull``, ``MemeError/quotaExceeded(_:)`` if nothing is left, and what the store throws.
  package func check(for viewer: Viewer) async throws(MemeError) {
    guard hasRoom() else { throw .storageFull }
    guard let quotas else { return }
    if let (kind, limit) = quotas.limits.kind(for: viewer) {
      let used = try await quotas.store.bytes(of: viewer)
      guard used < limit else { throw .quotaExceeded(Quota(kind, limit: limit, used: used)) }
    }
    if let (days, network) = day(of: viewer) { try days.take(0, for: network) }
  }

  /// Counts bytes for a network without an account, while something is stored.
  ///
  /// - Parameter isStored: whether the result says that something was stored, and not that it was there.
  /// - Throws: ``MemeError/quotaExceeded(_:)``, and what `store` throws.
  package func storing<Value>(
    _ bytes: Int, for viewer: Viewer, isStored: (Value) -> Bool,
    _ store: () async throws(MemeError) -> Value
  ) async throws(MemeError) -> Value {
    guard bytes > 0, let (days, network) = day(of: viewer) else { return try await store() }
    try days.take(bytes, for: network)
    do throws(MemeError) {
      let value = try await store()
      if !isStored(value) { days.giveBack(bytes, to: network) }
      return value
    } catch {
      days.giveBack(bytes, to: network)
      throw error
    }
  }

  /// Whether the bytes of a viewer count for the network of the current request.
  package func isCounted(_ viewer: Viewer) -> Bool { day(of: viewer) != nil }

  /// Takes back bytes that were stored and are gone.
  package func giveBack(_ bytes: Int, to network: ClientNetwork) {
    quotas?.days?.giveBack(bytes, to: network)
  }

  /// All clients of a proxy on this machine that is not named would be one network.
  private func day(of viewer: Viewer) -> (NetworkDays, ClientNetwork)? {
    guard let days = quotas?.days, !viewer.isSignedIn, let requester = Requester.current,
      requester.pays, !requester.isLocal, case .network(let network) = requester.caller
    else { return nil }
    return (days, network)
  }
}
