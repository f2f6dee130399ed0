/// Deletes memes.
package struct Removing: Sendable {
  private let store: any MemeStore
  private let now: @Sendable () -> Timestamp

  package init(store: any MemeStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Deletes the meme. When this returns, nobody sees it any more, also after a crash.
  ///
  /// - Throws: ``MemeError/unauthorized`` where the viewer does not own it.
  package func delete(_ id: MemeID, by viewer: Viewer) async throws(MemeError) {
    guard viewer.owns(id) else { throw .unauthorized }
    try await store.delete(id, at: now())
  }
}
