/// Forgets memes for good that were deleted long ago: clients are told of them no more, and their ids are free.
///
/// What can still be restored is not forgotten, however long ago it was deleted.
package struct TombstonePruning: Purge {
  /// Some milliseconds: a few rows for each.
  private static let tombstonesAtOnce = 500

  private let store: any SyncStore
  private let days: Int
  private let now: @Sendable () -> Timestamp

  /// - Parameter days: for how long it is known that a meme was deleted.
  package init(store: any SyncStore, days: Int, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.days, self.now) = (store, days, now)
  }

  package func purgeBatch() async throws(MemeError) -> Int {
    let horizon = now().millisecondsSince1970 - Int64(days) * 86_400_000
    return try await store.pruneTombstones(
      deletedUpTo: Timestamp(millisecondsSince1970: horizon), atMost: Self.tombstonesAtOnce)
  }
}
