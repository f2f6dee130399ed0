package import Memes
package import Storage

/// Lets users like memes and add them to their favorites.
///
/// Repeating a change has no effect, so a client may repeat a request after it lost the response.
package struct Liking: Sendable {
  private let store: ReactionStore
  private let now: @Sendable () -> Timestamp

  package init(store: ReactionStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Adds a reaction to a meme. On return, it is durable and counted.
  ///
  /// - Parameter viewer: a signed-in user.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme;
  ///   ``MemeError/unauthorized`` if the account was deleted.
  package func put(_ mark: Reaction, on id: MemeID, by viewer: Principal) async throws {
    try await store.put(mark, on: id, by: viewer, at: now())
  }

  /// Removes a reaction from a meme. On return, this is durable and counted.
  ///
  /// - Throws: the same errors as ``put(_:on:by:)``.
  package func remove(_ mark: Reaction, from id: MemeID, by viewer: Principal) async throws {
    try await store.remove(mark, from: id, by: viewer)
  }

  /// A page of the users who like a meme, the most recent likes first. Users who block the viewer, or whom the
  /// viewer blocks, are left out.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func likers(
    of id: MemeID, for viewer: Principal, after position: ListPosition?, limit: PageLimit
  ) async throws -> Page<Profile> {
    try await store.likers(of: id, for: viewer, after: position, limit: limit.count)
  }
}
