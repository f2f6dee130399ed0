package import Memes
package import Storage

/// Removes the records of memes that were deleted long ago. Then clients no longer learn of the deletion, and the
/// IDs are free.
///
/// Memes that can still be restored are kept, however long ago they were deleted.
package struct TombstonePurge: Purge {
  /// A batch takes some milliseconds, with a few rows per meme.
  private static let tombstonesAtOnce = 500

  private let store: MemeStore
  private let days: Int
  private let now: @Sendable () -> Timestamp

  /// - Parameter days: how long deletions are recorded.
  package init(store: MemeStore, days: Int, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.days, self.now) = (store, days, now)
  }

  package func purgeBatch() async throws -> Int {
    let horizon = now().millisecondsSince1970 - Int64(days) * 86_400_000
    return try await store.pruneTombstones(
      deletedUpTo: Timestamp(millisecondsSince1970: horizon), atMost: Self.tombstonesAtOnce)
  }
}
