package import Metrics
import Synchronization

/// What the writer counts. Safe to use from any thread.
package struct WriterMeter: Sendable {
  private static let bounds = [0.0005] + Histogram.requestBounds
  /// How long commits took to be durable.
  package let commitSeconds = Histogram(bounds: bounds)
  /// The transactions that became durable by them: one or more each.
  package let transactions = Counter()
  /// How long the copying of the write-ahead log into the database took; nobody can write meanwhile.
  package let checkpointSeconds = Histogram(bounds: bounds)

  /// A reader that keeps the write-ahead log from being copied, if that has lasted for long.
  package let hold = LogHold()

  func committed(in duration: Duration, transactions count: Int) {
    transactions.add(count)
    commitSeconds.observe(duration)
  }
}

/// The reader that keeps the write-ahead log from being copied. Safe to use from any thread.
package final class LogHold: Sendable {
  private let state = Mutex<(reader: String, since: ContinuousClock.Instant)?>(nil)

  /// The reader, and for how long it has read.
  package var current: (reader: String, duration: Duration)? {
    state.withLock { $0.map { ($0.reader, .now - $0.since) } }
  }

  func begin(_ reader: String, since: ContinuousClock.Instant) {
    state.withLock { $0 = (reader, since) }
  }

  func end() { state.withLock { $0 = nil } }
}
