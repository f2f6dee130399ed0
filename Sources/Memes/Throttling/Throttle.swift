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
  /// - Returns: what the caller has left; `nil` where nothing is counted.
  /// - Throws: ``MemeError/throttled(_:)`` where that was one too many. It is not counted then.
  @discardableResult
  package func take(_ limit: Limit, for caller: Caller) throws(MemeError) -> Allowance? {
    guard isOn else { return nil }
    let now = now()
    let taken = tables.withLock { $0[limit]?.take(caller, at: now) }
    guard let taken else { return nil }
    let allowance = Allowance(
      limit: limit, remaining: taken.remaining, untilFull: taken.untilFull,
      wait: taken.wait ?? .zero)
    guard taken.wait == nil else {
      refused.add(at: limit.place)
      throw .throttled(allowance)
    }
    return allowance
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
  /// How many more calls are let through at once.
  package let remaining: Int
  /// The time until as many are as ever.
  package let untilFull: Duration
  /// The time until the next one is; zero where there is none to wait for.
  package let wait: Duration
}

extension Limit {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
