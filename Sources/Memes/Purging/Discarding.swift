/// Removes for good what nobody sees any more: bytes of somebody who left, and what people did with memes that are purged.
package struct Discarding: Purge {
  /// Some milliseconds: nothing is overwritten and no count changes.
  private static let marksAtOnce = 1000

  private let store: any DiscardStore

  package init(store: any DiscardStore) { self.store = store }

  package func purgeBatch() async throws(MemeError) -> Int {
    let files = try await store.purgeDiscarded(.standard)
    return files > 0 ? files : try await store.purgeDiscardedMarks(atMost: Self.marksAtOnce)
  }
}

/// What ``Discarding`` needs of a store.
package protocol DiscardStore: Sendable {
  /// Removes some of the files that nothing refers to any more.
  ///
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeDiscarded(_ batch: PurgeBatch) async throws(MemeError) -> Int

  /// Removes some of the likes, favorites and comments of memes that are purged.
  ///
  /// - Returns: 0 where there is nothing more to remove.
  func purgeDiscardedMarks(atMost count: Int) async throws(MemeError) -> Int
}
