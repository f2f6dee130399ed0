package import Memes
package import Storage

/// Deletes memes for good after their time in the trash.
package struct TrashPurge: Purge {
  private let store: MemeStore
  private let trash: Trash
  private let batch: PurgeBatch
  private let now: @Sendable () -> Timestamp

  package init(
    store: MemeStore, trash: Trash, batch: PurgeBatch = .standard,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.trash, self.batch, self.now) = (store, trash, batch, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purge(deletedUpTo: trash.horizon(at: now()), batch).count
  }
}
