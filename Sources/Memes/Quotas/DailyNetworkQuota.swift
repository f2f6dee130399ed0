import Synchronization

/// Counts the bytes that each network stores per day without an account. Kept in memory only, so the counts restart
/// with the process. Safe to use from any thread.
package final class DailyNetworkQuota: Sendable {
  private let rate: Rate
  private let now: @Sendable () -> TokenBucket.Instant
  private let buckets: Mutex<LimitBuckets>

  /// - Parameters:
  ///   - bytes: the allowance of a network. It is available at once, and refills within a day.
  ///   - now: a monotonic clock.
  package init(bytes: Int, now: @escaping @Sendable () -> TokenBucket.Instant) {
    rate = Rate(burst: bytes, interval: .seconds(86_400) / max(1, bytes))
    self.now = now
    let rateOfSite = Rate(
      burst: bytes * Limit.networksOfSite, interval: rate.interval / Limit.networksOfSite)
    buckets = Mutex(LimitBuckets(rate, ofSite: rateOfSite, capacity: 16_384))
  }

  /// Counts bytes that are about to be stored.
  ///
  /// - Throws: ``MemeError/quotaExceeded(_:)`` if fewer bytes are left. Nothing is counted then.
  package func take(_ bytes: Int, for network: ClientNetwork) throws {
    let (now, rate) = (now(), rate)
    let quota = buckets.withLock { buckets -> Quota? in
      let there = buckets.look(.network(network), at: now)
      guard there.remaining < max(1, bytes) else {
        buckets.owe(.network(network), Double(bytes), at: now)
        return nil
      }
      // The allowance never exceeds that of one day.
      let missing = min(max(1, bytes), rate.burst) - there.remaining
      return Quota(
        .network, limit: rate.burst, used: rate.burst - there.remaining,
        wait: rate.interval * max(1, missing))
    }
    if let quota { throw MemeError.quotaExceeded(quota) }
  }

  /// Reverts the count for bytes that were not stored.
  package func giveBack(_ bytes: Int, to network: ClientNetwork) {
    buckets.withLock { $0.giveBack(.network(network), Double(bytes)) }
  }
}
