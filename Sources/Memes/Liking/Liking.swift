/// Lets people like memes and keep them among their favorites.
///
/// Doing something twice is the same as doing it once, so a client may repeat a request whose answer it lost.
package struct Liking: Sendable {
  private let store: any MarkStore
  private let now: @Sendable () -> Timestamp

  package init(store: any MarkStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Puts a mark on a meme. When this returns, it is durable and counted.
  ///
  /// - Parameter viewer: a person.
  /// - Throws: ``MemeError/notFound`` and ``MemeError/gone`` where there is no such meme for them; ``MemeError/unauthorized``
  ///   where they left meanwhile.
  package func put(_ mark: Mark, on id: MemeID, by viewer: Viewer) async throws(MemeError) {
    try await store.put(mark, on: id, by: viewer, at: now())
  }

  /// Takes a mark off a meme. When this returns, that is durable and counted.
  ///
  /// - Throws: as ``put(_:on:by:)``.
  package func remove(_ mark: Mark, from id: MemeID, by viewer: Viewer) async throws(MemeError) {
    try await store.remove(mark, from: id, by: viewer)
  }

  /// A page of the people who like a meme, those first who began last. Who is apart from the viewer is left out.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func likers(
    of id: MemeID, for viewer: Viewer, after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<Profile> {
    try await store.likers(of: id, for: viewer, after: position, limit: limit.count)
  }
}
