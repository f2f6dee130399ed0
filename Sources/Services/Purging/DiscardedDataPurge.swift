import Memes
package import Storage

/// Deletes inaccessible data for good: files of deleted accounts, and reactions to purged memes and comments on them.
package struct DiscardedDataPurge: Purge {
  /// A batch takes some milliseconds: no freed space is overwritten, and no counter changes.
  private static let reactionsAtOnce = 1000

  private let store: UserStore

  package init(store: UserStore) { self.store = store }

  package func purgeBatch() async throws -> Int {
    let files = try await store.purgeDiscarded(.standard)
    return files > 0 ? files : try await store.purgeDiscardedReactions(atMost: Self.reactionsAtOnce)
  }
}
