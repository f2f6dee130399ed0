package import Metrics

/// What was measured of the requests to a store. Safe to use from any thread.
package final class S3Meter: Sendable {
  package enum Operation: String, CaseIterable, Sendable { case put, get, delete, copy, list }

  private let histograms = Operation.allCases.map { _ in Histogram() }
  private let counters = Operation.allCases.map { _ in Counter() }

  init() {}

  /// The operations with the durations of their requests, and the number of requests that failed. A request that is
  /// sent again counts each time. An absent object is no failure.
  package var readings: [(operation: Operation, seconds: Histogram, failures: Counter)] {
    zip(Operation.allCases, zip(histograms, counters)).map { ($0, $1.0, $1.1) }
  }

  func note(
    _ operation: Operation, since start: ContinuousClock.Instant, _ error: ObjectError? = nil
  ) {
    for reading in readings where reading.operation == operation {
      reading.seconds.observe(.now - start)
      if let error, error != .absent { reading.failures.add() }
    }
  }
}
