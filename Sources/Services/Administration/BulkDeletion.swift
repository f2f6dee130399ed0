package import Memes
package import Storage

/// Deletes all memes that match a filter, however many there are.
package struct BulkDeletion: Sendable {
  private let store: MemeStore
  private let trash: Trash
  private let purge: any Purge
  private let now: @Sendable () -> Timestamp

  /// - Parameter purge: purges deleted memes. Called at the end of a deletion if the trash keeps nothing.
  package init(
    store: MemeStore, trash: Trash, purge: any Purge,
    now: @escaping @Sendable () -> Timestamp
  ) { (self.store, self.trash, self.purge, self.now) = (store, trash, purge, now) }

  /// Moves all matching memes to the trash, batch by batch. Memes created after the call began are left alone.
  ///
  /// Each batch is durable and visible to everyone at once. Other reads and writes can run between the
  /// batches. If the task is canceled, the call ends after the current batch. Completed batches are not
  /// undone; another call deletes the rest.
  ///
  /// - Returns: the number of deleted memes. The audit log has one entry for all of them.
  /// - Throws: ``MemeError/overloaded(retryAfter:)`` if the task was canceled.
  package func delete(
    _ filter: MemeFilter, by authority: Authority
  ) async throws -> Int {
    let entry = AuditEntry(
      at: now(), authority, .deleteMemes, nil, AuditDetails(filter: filter, count: 0))
    var run = try await store.deleteBatch(filter, continuing: nil, recording: entry, .standard)
    while !run.isOver {
      guard !Task.isCancelled else { throw MemeError.overloaded() }
      run = try await store.deleteBatch(filter, continuing: run, recording: entry, .standard)
    }
    // If the trash keeps nothing, deleted memes are purged at once.
    if !trash.keepsAnything { _ = try await purge.purge() }
    return run.count
  }
}
