/// Removes for good what nobody can have any more.
package protocol Purge: Sendable {
  /// Removes some of what is due, in one transaction.
  ///
  /// - Returns: how many were removed; 0 where there is nothing more to remove.
  func purgeBatch() async throws(MemeError) -> Int
}

extension Purge {
  /// Purges all that is due, a batch after the other, and other writes in between.
  ///
  /// May end at any moment, by a crash too: every batch is whole, and the next call goes on with the rest. Where the task
  /// is cancelled it ends after the batch that it is at.
  ///
  /// - Returns: how many were removed.
  package func purge() async throws(MemeError) -> Int {
    var count = 0
    while !Task.isCancelled {
      let purged = try await purgeBatch()
      if purged == 0 { break }
      count += purged
    }
    return count
  }
}

/// How much is purged in one transaction, while which nobody else can write.
package struct PurgeBatch: Sendable, Equatable {
  package let count: Int
  /// Of the files together; a batch has one thing at least, however large.
  package let bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }

  /// Some tens of milliseconds on a disk of today: what is freed is overwritten.
  package static let standard = PurgeBatch(count: 64, bytes: 8 << 20)
}
