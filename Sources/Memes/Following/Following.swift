/// Lets people follow and block each other. Two who follow each other are friends.
///
/// Doing something twice is the same as doing it once, so a client may repeat a request whose answer it lost.
package struct Following: Sendable {
  /// A person follows no more people.
  package static let maximumFollowed = 5000
  /// A person blocks no more people: each of them is looked for in every count that the person is shown.
  package static let maximumBlocked = 1000

  private let store: any RelationStore
  private let now: @Sendable () -> Timestamp

  package init(store: any RelationStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// A person as the viewer sees them.
  ///
  /// - Throws: ``MemeError/notFound``, also where one of them blocks the other.
  package func profile(
    _ username: Username, for viewer: Viewer
  ) async throws(MemeError) -> Profile {
    try await store.profile(username, for: viewer)
  }

  /// A page of people, those first with whom it began last. Who blocks the viewer, or is blocked by them, is left out.
  ///
  /// - Throws: ``MemeError/notFound`` where the viewer does not see whose list it is.
  package func page(
    of circle: Circle, for viewer: Viewer, after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<Profile> {
    try await store.page(of: circle, for: viewer, after: position, limit: limit.count)
  }

  /// A page of people who are found by a name: those whose username begins so first, the shortest and what is before it in the
  /// alphabet first. Who blocks the viewer, or is blocked by them, is left out.
  package func people(
    matching query: PersonQuery, for viewer: Viewer, after position: PersonPosition?,
    limit: PageLimit
  ) async throws(MemeError) -> FoundPeople {
    try await store.people(matching: query, for: viewer, after: position, limit: limit.count)
  }

  /// - Throws: ``MemeError/notFound``; ``MemeError/invalid(field:_:)`` (`username`) for oneself, and where the person follows too
  ///   many; ``MemeError/unauthorized`` where the person left meanwhile.
  package func follow(_ username: Username, by person: UserID) async throws(MemeError) {
    try await store.follow(username, by: person, at: now(), atMost: Self.maximumFollowed)
  }

  /// - Throws: as ``follow(_:by:)``.
  package func unfollow(_ username: Username, by person: UserID) async throws(MemeError) {
    try await store.unfollow(username, by: person)
  }

  /// Ends what is between the two. From then on neither sees the other.
  ///
  /// - Throws: as ``follow(_:by:)``.
  package func block(_ username: Username, by person: UserID) async throws(MemeError) {
    try await store.block(username, by: person, at: now(), atMost: Self.maximumBlocked)
  }

  /// Takes a block back. Neither follows the other by that.
  ///
  /// - Throws: as ``follow(_:by:)``.
  package func unblock(_ username: Username, by person: UserID) async throws(MemeError) {
    try await store.unblock(username, by: person)
  }
}

extension InvalidValue {
  package static let oneself = InvalidValue(
    code: "oneself", message: "Nobody can do this to themselves.")

  package static let tooManyFollowed = InvalidValue(
    code: "too-many",
    message: "Nobody follows more than \(Following.maximumFollowed) people. Leave some first.")

  package static let tooManyBlocked = InvalidValue(
    code: "too-many",
    message: "Nobody blocks more than \(Following.maximumBlocked) people. Take some back first.")
}
