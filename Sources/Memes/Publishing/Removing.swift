/// Deletes memes.
package struct Removing: Sendable {
  private let store: any MemeStore
  private let now: @Sendable () -> Timestamp

  package init(store: any MemeStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Deletes the meme. When this returns, nobody sees it any more, also after a crash.
  ///
  /// - Throws: ``MemeError/unauthorized`` where the viewer does not own it, ``MemeError/versionMismatch`` where it is at a
  ///   version that the viewer does not mean; then nothing is done.
  package func delete(
    _ id: MemeID, if condition: VersionCondition = .any, by viewer: Viewer
  ) async throws(MemeError) {
    guard viewer.owns(id) else { throw .unauthorized }
    try await store.delete(id, if: condition, at: now())
  }
}
