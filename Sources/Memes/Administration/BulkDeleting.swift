/// Deletes all memes that match a filter, however many there are.
package struct BulkDeleting: Sendable {
  private let store: any BulkStore
  private let trash: Trash
  private let purge: any Purge
  private let now: @Sendable () -> Timestamp

  /// - Parameter purge: purges deleted memes. Called at the end of a deletion if the trash keeps nothing.
  package init(
    store: any BulkStore, trash: Trash, purge: any Purge,
    now: @escaping @Sendable () -> Timestamp
  ) { (self.store, self.trash, self.purge, self.now) = (store, trash, purge, now) }

  /// The number of memes that ``delete(_:by:)`` would delete now.
  package func count(_ filter: MemeFilter) async throws -> Int {
    try await store.count(filter)
  }

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

/// A filter for memes. A meme matches if it fulfills every condition that is set.
package struct MemeFilter: Hashable, Sendable {
  /// Matches memes created at this time or later.
  package let after: Timestamp?
  /// Matches memes created before this time.
  package let before: Timestamp?
  package let maker: Maker?

  /// The author of the matching memes.
  package enum Maker: Hashable, Sendable {
    case person(Username)
    /// Matches memes made without an account, unless a user has claimed them.
    case nobody
  }

  /// - Returns: `nil` if no condition is set, because such a filter would match all memes.
  package init?(after: Timestamp? = nil, before: Timestamp? = nil, maker: Maker? = nil) {
    guard after != nil || before != nil || maker != nil else { return nil }
    (self.after, self.before, self.maker) = (after, before, maker)
  }
}

/// Counts and deletes memes for ``BulkDeleting``. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol BulkStore: Sendable {
  /// The number of matching memes that are not deleted.
  func count(_ filter: MemeFilter) async throws -> Int

  /// Moves one batch of matching memes to the trash. On return, the deletion is durable.
  ///
  /// - Parameters:
  ///   - run: the result of the previous batch; `nil` for the first one.
  ///   - entry: written with the first batch. Each batch updates its count.
  func deleteBatch(
    _ filter: MemeFilter, continuing run: BulkRun?, recording entry: AuditEntry,
    _ batch: PurgeBatch
  ) async throws -> BulkRun
}

/// The progress of a deletion in batches.
package struct BulkRun: Sendable {
  /// The number of the entry in the audit log.
  package let entry: Int64
  /// The newest item at the start of the deletion. Newer items are left alone.
  package let end: ListPosition
  package var count: Int
  package var isOver: Bool

  package init(entry: Int64, end: ListPosition, count: Int, isOver: Bool) {
    (self.entry, self.end, self.count, self.isOver) = (entry, end, count, isOver)
  }
}
