/// Tells clients that hold a copy of a person's memes what has changed since they asked last.
package struct Syncing: Sendable {
  private let store: any SyncStore
  private let bell: ChangeBell

  package init(store: any SyncStore, bell: ChangeBell) { (self.store, self.bell) = (store, bell) }

  /// Some of the changes of the viewer's own memes, in the order in which they were committed.
  ///
  /// - Parameter position: where the client is; `nil` for one that has nothing.
  /// - Throws: what ``SyncStore/changes(of:since:limit:)`` throws.
  package func changes(
    of viewer: Viewer, since position: SyncPosition?, limit: PageLimit
  ) async throws(MemeError) -> SyncPage {
    try await store.changes(of: viewer, since: position, limit: limit.count)
  }

  /// The same; where there are none yet, the first of those that come until the deadline.
  ///
  /// - Parameter subscription: to the viewer's memes, from before the call.
  /// - Returns: an empty page where nothing came until the deadline, or the subscription is over before.
  package func changes(
    of viewer: Viewer, since position: SyncPosition?, limit: PageLimit,
    on subscription: ChangeSubscription, until deadline: ContinuousClock.Instant
  ) async throws(MemeError) -> SyncPage {
    while true {
      let page = try await changes(of: viewer, since: position, limit: limit)
      guard page.changes.isEmpty, await subscription.next(until: deadline) == .changed else {
        return page
      }
    }
  }

  /// Where a client is that knows everything of the person's that is committed.
  ///
  /// - Throws: ``MemeError/unauthorized`` where the person left.
  package func newestPosition(of person: UserID) async throws(MemeError) -> SyncPosition {
    try await store.newestPosition(of: person)
  }

  /// Rings from now on where the person's memes change.
  package func subscribe(to person: UserID) -> ChangeSubscription { bell.subscribe(to: person) }
}
