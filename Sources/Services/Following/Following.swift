package import Memes
package import Storage

/// Lets users follow and block each other. Users who follow each other are friends.
///
/// Repeating a change has no effect, so a client may repeat a request after it lost the response.
package struct Following: Sendable {
  private let store: RelationStore
  private let now: @Sendable () -> Timestamp

  package init(store: RelationStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// A user as the viewer sees them.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such user, or one of the two blocks the other.
  package func profile(
    _ username: Username, for viewer: Principal
  ) async throws -> Profile {
    try await store.profile(username, for: viewer)
  }

  /// A page of a list of users, the most recent relations first. Users who block the viewer, or whom the viewer blocks,
  /// are left out, except in the viewer's list of blocked users.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the owner of the list; ``MemeError/unauthorized`` if the
  ///   account of the owner was deleted.
  package func page(
    of circle: UserList, for viewer: Principal, after position: ListPosition?, limit: PageLimit
  ) async throws -> Page<Profile> {
    try await store.page(of: circle, for: viewer, after: position, limit: limit.count)
  }

  /// A page of users who match the query. Matches by username come first: shorter names first, then in alphabetical
  /// order. Users who block the viewer, or whom the viewer blocks, are left out.
  package func people(
    matching query: PersonQuery, for viewer: Principal, after position: PersonPosition?,
    limit: PageLimit
  ) async throws -> FoundPeople {
    try await store.people(matching: query, for: viewer, after: position, limit: limit.count)
  }

  /// Follows a user.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/invalid(field:_:)`` (`username`) for the user's own name, or if the
  ///   user already follows the maximum number of users; ``MemeError/unauthorized`` if the account was deleted.
  package func follow(_ username: Username, by person: UserID) async throws {
    try await store.follow(username, by: person, at: now(), atMost: RelationStore.maximumFollowed)
  }

  /// - Throws: the same errors as ``follow(_:by:)``.
  package func unfollow(_ username: Username, by person: UserID) async throws {
    try await store.unfollow(username, by: person)
  }

  /// Blocks a user. The two no longer follow each other, and neither can see the other.
  ///
  /// - Throws: the same errors as ``follow(_:by:)``.
  package func block(_ username: Username, by person: UserID) async throws {
    try await store.block(username, by: person, at: now(), atMost: RelationStore.maximumBlocked)
  }

  /// Removes a block. This does not restore who followed whom.
  ///
  /// - Throws: the same errors as ``follow(_:by:)``.
  package func unblock(_ username: Username, by person: UserID) async throws {
    try await store.unblock(username, by: person)
  }
}
