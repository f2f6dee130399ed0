/// Permanently deletes data that is no longer accessible.
package protocol Purge: Sendable {
  /// Deletes one batch in one transaction.
  ///
  /// - Returns: the number of deleted items; 0 if nothing is left to delete.
  func purgeBatch() async throws -> Int
}

extension Purge {
  /// Deletes everything that is due, batch by batch. Other writes can run between the batches.
  ///
  /// May be interrupted at any time, even by a crash: every batch is complete, and the next call continues with the
  /// rest. If the task is canceled, the call returns after the current batch.
  ///
  /// - Returns: the number of deleted items.
  package func purge() async throws -> Int {
    var count = 0
    while !Task.isCancelled {
      let purged = try await purgeBatch()
      if purged == 0 { break }
      count += purged
    }
    return count
  }
}

/// The maximum size of a batch. Other writers wait during its transaction.
package struct PurgeBatch: Sendable, Equatable {
  package let count: Int
  /// The total size of the files. A batch has at least one item, whatever its size.
  package let bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }

  /// Takes some tens of milliseconds on a current disk, because freed space is overwritten.
  package static let standard = PurgeBatch(count: 64, bytes: 8 << 20)
}
