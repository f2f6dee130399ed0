import Metrics
import Synchronization

/// Says who has done something too often. It lives in memory: a process that starts has let nobody do anything yet. Safe to
/// use from any thread.
package final class Throttle: Sendable {
  /// Of buckets for each limit. One with a name and an address takes up to 400 bytes.
  private static let capacity = 16_384

  /// By the place of the limit in its cases.
  private let refused = Tally(count: Limit.allCases.count)
  private let isOn: Bool
  private let now: @Sendable () -> TokenBucket.Instant
  private let tables: Mutex<[Limit: LimitBuckets]>

  /// - Parameters:
  ///   - isOn: else nobody is ever refused.
  ///   - now: a clock that never goes back.
  package init(isOn: Bool, now: @escaping @Sendable () -> TokenBucket.Instant = { .now }) {
    (self.isOn, self.now) = (isOn, now)
    let tables = Limit.allCases.map { ($0, LimitBuckets($0, capacity: Self.capacity)) }
    self.tables = Mutex(Dictionary(uniqueKeysWithValues: tables))
  }

  /// How often somebody was refused.
  package func refusals(by limit: Limit) -> Int { refused[limit.place] }

  /// Counts a call.
  ///
  /// - Parameter tokens: what it costs. The limit's burst is the most that counts, so that nothing is refused forever.
  /// - Returns: what the caller has left; `nil` where nothing is counted.
  /// - Throws: ``MemeError/throttled(_:)`` where that was one too many. It is not counted then.
  @discardableResult
  package func take(
    _ limit: Limit, _ tokens: Double = 1, for caller: Caller
  ) throws(MemeError) -> Allowance? {
    guard isOn else { return nil }
    let now = now()
    let cost = tokens / Double(limit.share(of: caller))
    let taken = tables.withLock { $0[limit]?.take(caller, cost, at: now) }
    guard let taken else { return nil }
    let allowance = Allowance(taken, limit, caller)
    try refuse(allowance)
    return allowance
  }

  /// Counts a cost that has arisen already, whether there are tokens or not.
  package func owe(_ limit: Limit, _ tokens: Double, by caller: Caller) {
    guard isOn, tokens > 0 else { return }
    let now = now()
    let cost = tokens / Double(limit.share(of: caller))
    tables.withLock { $0[limit]?.owe(caller, cost, at: now) }
  }

  /// The rest that the caller has; `nil` if limits are off.
  package func look(_ limit: Limit, for caller: Caller) -> Allowance? {
    guard isOn else { return nil }
    let now = now()
    let there = tables.withLock { $0[limit]?.look(caller, at: now) }
    return there.map { Allowance($0, limit, caller) }
  }

  /// - Throws: ``MemeError/throttled(_:)`` where the caller has nothing left. Nothing is counted.
  package func check(_ limit: Limit, for caller: Caller) throws(MemeError) {
    if let allowance = look(limit, for: caller) { try refuse(allowance) }
  }

  private func refuse(_ allowance: Allowance) throws(MemeError) {
    guard allowance.wait > .zero else { return }
    refused.add(at: allowance.limit.place)
    throw .throttled(allowance)
  }

  /// Takes back what was counted a moment ago.
  package func giveBack(_ limit: Limit, to caller: Caller) {
    guard isOn else { return }
    tables.withLock { $0[limit]?.giveBack(caller) }
  }

  /// Takes back all that was counted.
  package func forget(_ limit: Limit, of caller: Caller) {
    guard isOn else { return }
    tables.withLock { $0[limit]?.forget(caller) }
  }
}

/// What somebody has left of a limit.
package struct Allowance: Sendable, Equatable {
  package let limit: Limit
  /// How many calls, or how much cost, is let through at once.
  package let burst: Int
  /// The time in which as many come back.
  package let window: Duration
  /// How many more calls are let through at once.
  package let remaining: Int
  /// The time until as many are as ever.
  package let untilFull: Duration
  /// The time until the next one is; zero where there is none to wait for.
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
