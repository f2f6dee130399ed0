/// Removes bytes for good that belonged to somebody who left.
package struct Discarding: Purge {
  private let store: any DiscardStore

  package init(store: any DiscardStore) { self.store = store }

  package func purgeBatch() async throws(MemeError) -> Int {
    try await store.purgeDiscarded(.standard)
  }
}

/// What ``Discarding`` needs of a store.
package protocol DiscardStore: Sendable {
  /// Removes some of the files that nothing refers to any more.
  ///
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeDiscarded(_ batch: PurgeBatch) async throws(MemeError) -> Int
}
