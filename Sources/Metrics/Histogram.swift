/// A histogram of durations. Safe to use from any thread.
///
/// An observation costs two relaxed atomic additions and the search for its bucket.
package final class Histogram: Sendable {
  /// The inclusive upper bounds of the buckets in seconds, ascending. One more bucket has no upper bound.
  package let bounds: [Double]
  /// One count per bucket, the unbounded bucket last, followed by the sum in nanoseconds.
  private let tally: Tally
  private let nanoseconds: [Int]

  /// Bounds for requests: from a cache hit to a request that waits as long as it may.
  package static let requestBounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]

  package init(bounds: [Double] = Histogram.requestBounds) {
    self.bounds = bounds
    nanoseconds = bounds.map { Int($0 * 1e9) }
    tally = Tally(count: bounds.count + 2)
  }

  package func observe(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    observe(nanoseconds: Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000))
  }

  package func observe(seconds: Double) { observe(nanoseconds: Int(nanosecondsOf: seconds)) }

  private func observe(nanoseconds duration: Int) {
    var range = 0
    while range < nanoseconds.count, duration > nanoseconds[range] { range += 1 }
    tally.add(at: range)
    tally.add(duration, at: bounds.count + 1)
  }

  /// The observations so far.
  package var reading: Reading {
    let counts = (0...bounds.count).map { tally[$0] }
    return Reading(
      bounds: bounds, counts: counts, sumSeconds: Double(tally[bounds.count + 1]) / 1e9)
  }

  /// The number of observations.
  package var count: Int { (0...bounds.count).reduce(0) { $0 + tally[$1] } }

  package struct Reading: Sendable, Equatable {
    package let bounds: [Double]
    /// The number of observations per bucket; one more than there are bounds.
    package let counts: [Int]
    package let sumSeconds: Double

    /// The number of observations.
    package var count: Int { counts.reduce(0, +) }

    /// The approximate duration that this share of the observations did not exceed. Assumes that the observations of a
    /// bucket are spread evenly over it. A result in the unbounded bucket is reported as the last bound.
    ///
    /// - Parameter part: from 0 to 1.
    /// - Returns: seconds, or `nil` if there are no observations.
    package func quantile(_ part: Double) -> Double? {
      guard count > 0 else { return nil }
      let rank = part * Double(count)
      var (below, start) = (0, 0.0)
      for (count, end) in zip(counts, bounds) {
        if count > 0, Double(below + count) >= rank {
          return start + (end - start) * max(0, rank - Double(below)) / Double(count)
        }
        (below, start) = (below + count, end)
      }
      return bounds.last
    }
  }
}

extension Int {
  /// Converts seconds to whole nanoseconds. Negative, huge and NaN values become 0.
  fileprivate init(nanosecondsOf seconds: Double) {
    self = seconds > 0 && seconds < 9e9 ? Int(seconds * 1e9) : 0
  }
}
