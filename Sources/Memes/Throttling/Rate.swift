/// How often something may be done: so many times at once, and from then on once in every interval.
package struct Rate: Sendable, Equatable {
  /// How many tokens a full bucket has.
  package let burst: Int
  /// The time in which one of them comes back.
  package let interval: Duration

  /// - Parameters:
  ///   - burst: at least 1.
  ///   - interval: longer than nothing.
  package init(burst: Int, interval: Duration) { (self.burst, self.interval) = (burst, interval) }

  /// The time in which an empty bucket is full again.
  package var window: Duration { interval * burst }
}
