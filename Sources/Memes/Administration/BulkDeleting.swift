/// Deletes all memes that a filter finds, however many they are.
package struct BulkDeleting: Sendable {
  private let store: any BulkStore
  private let trash: Trash
  private let purge: any Purge
  private let now: @Sendable () -> Timestamp

  /// - Parameter purge: empties the trash of what is due.
  package init(
    store: any BulkStore, trash: Trash, purge: any Purge,
    now: @escaping @Sendable () -> Timestamp
  ) { (self.store, self.trash, self.purge, self.now) = (store, trash, purge, now) }

  /// How many memes ``delete(_:by:)`` would delete at this moment.
  package func count(_ filter: MemeFilter) async throws(MemeError) -> Int {
    try await store.count(filter)
  }

  /// Moves the memes to the trash that were there when it began, batch by batch: each is durable and holds for everybody at
  /// once, and others read and write in between.
  ///
  /// Where the task is cancelled it ends after the batch that it is at. What it did stays done; the next call does the rest.
  ///
  /// - Returns: how many were deleted. The log has them as one act.
  /// - Throws: ``MemeError/overloaded`` where it was cancelled.
  package func delete(
    _ filter: MemeFilter, by authority: Authority
  ) async throws(MemeError) -> Int {
    let entry = AuditEntry(
      at: now(), authority, .deleteMemes, nil, AuditDetails(filter: filter, count: 0))
    var run = try await store.deleteBatch(filter, continuing: nil, recording: entry, .standard)
    while !run.isOver {
      guard !Task.isCancelled else { throw .overloaded() }
      run = try await store.deleteBatch(filter, continuing: run, recording: entry, .standard)
    }
    // Where nothing is kept, what is deleted is gone at once.
    if !trash.keepsAnything { _ = try await purge.purge() }
    return run.count
  }
}

/// Which memes are meant: those for which everything holds that is set.
package struct MemeFilter: Hashable, Sendable {
  /// Made at this moment or later.
  package let after: Timestamp?
  /// Made before this moment.
  package let before: Timestamp?
  package let maker: Maker?

  /// Whose memes are meant.
  package enum Maker: Hashable, Sendable {
    case person(Username)
    /// Made without an account, and claimed by nobody.
    case nobody
  }

  /// - Returns: `nil` where nothing is set: that would be all memes there are.
  package init?(after: Timestamp? = nil, before: Timestamp? = nil, maker: Maker? = nil) {
    guard after != nil || before != nil || maker != nil else { return nil }
    (self.after, self.before, self.maker) = (after, before, maker)
  }
}

/// What ``BulkDeleting`` needs of a store. One call is one transaction.
package protocol BulkStore: Sendable {
  /// How many memes the filter finds that are not deleted.
  func count(_ filter: MemeFilter) async throws(MemeError) -> Int

  /// Moves some memes to the trash. When this returns that is durable.
  ///
  /// - Parameters:
  ///   - run: what the batch before made of it; `nil` for the first one.
  ///   - entry: is written with the first batch, and says with each how many there are by then.
  func deleteBatch(
    _ filter: MemeFilter, continuing run: BulkRun?, recording entry: AuditEntry,
    _ batch: PurgeBatch
  ) async throws(MemeError) -> BulkRun
}

/// How far a deletion of many memes is.
package struct BulkRun: Sendable {
  /// The entry in the log.
  package let entry: Int64
  /// The newest meme that was there when it began: what comes after that is left alone.
  package let end: ListPosition
  package var count: Int
  package var isOver: Bool

  package init(entry: Int64, end: ListPosition, count: Int, isOver: Bool) {
    (self.entry, self.end, self.count, self.isOver) = (entry, end, count, isOver)
  }
}
