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
