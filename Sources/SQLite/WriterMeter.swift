package import Metrics

/// What the writer counts. Safe to use from any thread.
package struct WriterMeter: Sendable {
  private static let bounds = [0.0005] + Histogram.requestBounds
  /// How long commits took to be durable.
  package let commitSeconds = Histogram(bounds: bounds)
  /// The transactions that became durable by them: one or more each.
  package let transactions = Counter()
  /// How long the copying of the write-ahead log into the database took; nobody can write meanwhile.
  package let checkpointSeconds = Histogram(bounds: bounds)

  func committed(in duration: Duration, transactions count: Int) {
    transactions.add(count)
    commitSeconds.observe(duration)
  }
}
