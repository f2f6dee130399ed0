package import Metrics
import Synchronization

/// The writer's metrics. Safe to use from any thread.
package struct WriterMeter: Sendable {
  private static let bounds = [0.0005] + Histogram.requestBounds
  /// How long commits took until they were durable.
  package let commitSeconds = Histogram(bounds: bounds)
  /// The number of transactions in these commits; one or more each.
  package let transactions = Counter()
  /// How long checkpoints took. They block all writes.
  package let checkpointSeconds = Histogram(bounds: bounds)

  /// The reader that blocks checkpoints, if it has done so for long.
  package let hold = CheckpointBlocker()

  func committed(in duration: Duration, transactions count: Int) {
    transactions.add(count)
    commitSeconds.observe(duration)
  }
}

/// The reader that blocks checkpoints. Safe to use from any thread.
package final class CheckpointBlocker: Sendable {
  private let state = Mutex<(reader: String, since: ContinuousClock.Instant)?>(nil)

  /// The name of the reader, and how long it has blocked checkpoints.
  package var current: (reader: String, duration: Duration)? {
    state.withLock { $0.map { ($0.reader, .now - $0.since) } }
  }

  func begin(_ reader: String, since: ContinuousClock.Instant) {
    state.withLock { $0 = (reader, since) }
  }

  func end() { state.withLock { $0 = nil } }
}
