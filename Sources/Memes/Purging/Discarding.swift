/// Deletes inaccessible data for good: files of deleted accounts, and reactions to purged memes and comments on them.
package struct Discarding: Purge {
  /// A batch takes some milliseconds: no freed space is overwritten, and no counter changes.
  private static let marksAtOnce = 1000

  private let store: any DiscardStore

  package init(store: any DiscardStore) { self.store = store }

  package func purgeBatch() async throws -> Int {
    let files = try await store.purgeDiscarded(.standard)
    return files > 0 ? files : try await store.purgeDiscardedMarks(atMost: Self.marksAtOnce)
  }
}

/// Deletes inaccessible data for ``Discarding``. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol DiscardStore: Sendable {
  /// Deletes one batch of files that nothing refers to.
  ///
  /// - Returns: the number of deleted files; 0 if nothing is left to delete.
  func purgeDiscarded(_ batch: PurgeBatch) async throws -> Int

  /// Deletes some of the likes, favorites and comments on purged memes.
  ///
  /// - Parameter count: the maximum number of rows.
  /// - Returns: 0 if nothing is left to delete.
  func purgeDiscardedMarks(atMost count: Int) async throws -> Int
}
