/// A rate limit: a burst of calls at once, then one call per interval.
package struct Rate: Sendable, Equatable {
  /// The capacity of a bucket.
  package let burst: Int
  /// The time in which one token is refilled.
  package let interval: Duration

  /// - Parameters:
  ///   - burst: at least 1.
  ///   - interval: greater than zero.
  package init(burst: Int, interval: Duration) { (self.burst, self.interval) = (burst, interval) }

  /// The time in which an empty bucket becomes full.
  package var window: Duration { interval * burst }
}
