/// How much one commit may be shared by: whoever shares it waits for all of it.
package struct CommitLimits: Sendable {
  package let transactions: Int
  /// Of what they say they will write. One alone may have more.
  package let bytes: Int
  /// From the beginning of the first; what takes longer commits at once.
  package let duration: Duration

  package init(transactions: Int, bytes: Int, duration: Duration) {
    (self.transactions, self.bytes, self.duration) = (transactions, bytes, duration)
  }

  /// A quarter of the cache, so that nothing is written twice; and a large upload that finds the disk full finds it alone.
  /// The time is that of one commit on a slow disk.
  package static let standard = CommitLimits(
    transactions: 64, bytes: 4 << 20, duration: .milliseconds(10))
}

/// What is left of the limits of one commit.
struct CommitRoom {
  private var transactions: Int
  private var bytes: Int
  private let end: ContinuousClock.Instant

  /// - Parameter first: has its place whatever it writes.
  init(_ limits: CommitLimits, first: any Waiting) {
    transactions = limits.transactions - 1
    bytes = limits.bytes - first.bytes
    end = .now + limits.duration
  }

  /// Whether there is room for one more, which then has it.
  mutating func admit(_ waiting: any Waiting) -> Bool {
    guard transactions > 0, waiting.bytes <= bytes, .now < end else { return false }
    transactions -= 1
    bytes -= waiting.bytes
    return true
  }
}
