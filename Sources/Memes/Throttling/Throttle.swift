import Metrics
import Synchronization

/// Enforces the rate limits. Kept in memory only, so all buckets are full when the process starts. Safe to use
/// from any thread.
package final class Throttle: Sendable {
  /// The maximum number of buckets per limit. A bucket with a name and an address takes up to 400 bytes.
  private static let capacity = 16_384

  /// Indexed by the position of the limit in `allCases`.
  private let refused = Tally(count: Limit.allCases.count)
  /// Whether calls are limited.
  let isOn: Bool
  private let now: @Sendable () -> TokenBucket.Instant
  private let tables: Mutex<[Limit: LimitBuckets]>

  /// - Parameters:
  ///   - isOn: with `false`, no call is rejected.
  ///   - now: a monotonic clock.
  package init(isOn: Bool, now: @escaping @Sendable () -> TokenBucket.Instant = { .now }) {
    (self.isOn, self.now) = (isOn, now)
    let tables = Limit.allCases.map { ($0, LimitBuckets($0, capacity: Self.capacity)) }
    self.tables = Mutex(Dictionary(uniqueKeysWithValues: tables))
  }

  /// The number of calls rejected by a limit.
  package func refusals(by limit: Limit) -> Int { refused[limit.place] }

  /// Counts a call.
  ///
  /// - Parameter tokens: the cost of the call. At most the limit's burst is charged, so that no call
  ///   is impossible forever.
  /// - Returns: the remaining allowance; `nil` if limits are off.
  /// - Throws: ``MemeError/throttled(_:)`` if the limit is exceeded. The call is not counted then.
  @discardableResult
  package func take(
    _ limit: Limit, _ tokens: Double = 1, for caller: Caller
  ) throws -> Allowance? {
    guard isOn else { return nil }
    let now = now()
    let cost = tokens / Double(limit.share(of: caller))
    let taken = tables.withLock { $0[limit]?.take(caller, cost, at: now) }
    guard let taken else { return nil }
    let allowance = Allowance(taken, limit, caller)
    try refuse(allowance)
    return allowance
  }

  /// Applies what the shared buckets know, for a call that was counted here and there.
  ///
  /// - Throws: ``MemeError/throttled(_:)`` if the shared buckets rejected the call.
  func adopt(_ taking: SharedTaking, of limit: Limit, for caller: Caller) throws -> Allowance? {
    let now = now()
    let left = tables.withLock { $0[limit]?.adopt(taking.untilFull, caller, at: now) }
    guard var left else { return nil }
    // Rounding must not turn a rejection into a wait of zero.
    left.wait = taking.isAllowed ? nil : max(left.wait ?? .zero, .milliseconds(1))
    let allowance = Allowance(left, limit, caller)
    try refuse(allowance)
    return allowance
  }

  /// Charges a cost that has already arisen, even if there are too few tokens.
  package func owe(_ limit: Limit, _ tokens: Double, by caller: Caller) {
    guard isOn, tokens > 0 else { return }
    let now = now()
    let cost = tokens / Double(limit.share(of: caller))
    tables.withLock { $0[limit]?.owe(caller, cost, at: now) }
  }

  /// The remaining allowance; `nil` if limits are off.
  package func look(_ limit: Limit, for caller: Caller) -> Allowance? {
    guard isOn else { return nil }
    let now = now()
    let there = tables.withLock { $0[limit]?.look(caller, at: now) }
    return there.map { Allowance($0, limit, caller) }
  }

  /// - Throws: ``MemeError/throttled(_:)`` if the caller has no tokens left. Nothing is counted.
  package func check(_ limit: Limit, for caller: Caller) throws {
    if let allowance = look(limit, for: caller) { try refuse(allowance) }
  }

  private func refuse(_ allowance: Allowance) throws {
    guard allowance.wait > .zero else { return }
    refused.add(at: allowance.limit.place)
    throw MemeError.throttled(allowance)
  }

  /// Reverts a call that was counted shortly before.
  package func giveBack(_ limit: Limit, to caller: Caller) {
    guard isOn else { return }
    tables.withLock { $0[limit]?.giveBack(caller) }
  }

  /// Reverts all calls that were counted.
  package func forget(_ limit: Limit, of caller: Caller) {
    guard isOn else { return }
    tables.withLock { $0[limit]?.forget(caller) }
  }
}

/// A caller's remaining allowance of a limit.
package struct Allowance: Sendable, Equatable {
  package let limit: Limit
  /// The maximum number of calls, or the maximum cost, at once.
  package let burst: Int
  /// The time in which an empty allowance is refilled.
  package let window: Duration
  /// The number of calls that are allowed now.
  package let remaining: Int
  /// The time until the allowance is full.
  package let untilFull: Duration
  /// The time until the next call is allowed; zero if it is allowed now.
  package let wait: Duration
}

extension Allowance {
  fileprivate init(_ taken: LimitBuckets.Taken, _ limit: Limit, _ caller: Caller) {
    let share = limit.share(of: caller)
    self.init(
      limit: limit, burst: share * limit.rate.burst, window: limit.rate.window,
      remaining: share * taken.remaining, untilFull: taken.untilFull, wait: taken.wait ?? .zero)
  }
}

extension Limit {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
