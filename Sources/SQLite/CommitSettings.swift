/// Whether commits wait for the disk, the limits for sharing one, and how long the WAL has them. Every transaction
/// that shares a commit waits for all of it.
package struct CommitSettings: Sendable {
  package let transactions: Int
  /// The sum of the sizes that the transactions announce. A single transaction may exceed it.
  package let bytes: Int
  /// Counts from the start of the first transaction. After this time, the group commits at once.
  package let duration: Duration
  /// Whether a commit waits for the disk.
  package var synchronous = Synchronous.full
  /// The WAL is emptied this long after a commit, because it has deleted data: old versions of pages. A full WAL alone
  /// could take weeks on a small server.
  package var emptiesLogAfter = Duration.seconds(300)

  package init(transactions: Int, bytes: Int, duration: Duration) {
    (self.transactions, self.bytes, self.duration) = (transactions, bytes, duration)
  }

  /// The size is a quarter of the page cache, so that no page is written twice. It also makes a large upload fail alone
  /// if the disk is full. The duration is that of one commit on a slow disk.
  package static let standard = CommitSettings(
    transactions: 64, bytes: 4 << 20, duration: .milliseconds(10))
}

/// The remaining capacity of one commit.
struct CommitRoom {
  private var transactions: Int
  private var bytes: Int
  private let end: ContinuousClock.Instant

  /// - Parameter first: is always admitted, whatever its size.
  init(_ settings: CommitSettings, first: any Waiting) {
    transactions = settings.transactions - 1
    bytes = settings.bytes - first.bytes
    end = .now + settings.duration
  }

  /// Whether the commit has capacity for one more transaction. If so, the transaction takes its share.
  mutating func admit(_ waiting: any Waiting) -> Bool {
    guard transactions > 0, waiting.bytes <= bytes, .now < end else { return false }
    transactions -= 1
    bytes -= waiting.bytes
    return true
  }
}
