package import Memes
package import Storage

/// Reports changes to clients that hold a copy of a user's memes.
package struct Syncing: Sendable {
  private let store: MemeStore
  private let bell: ChangeBell

  package init(store: MemeStore, bell: ChangeBell) { (self.store, self.bell) = (store, bell) }

  /// A page of the changes of the viewer's own memes, in commit order.
  ///
  /// - Parameter position: the position of the client; `nil` for an empty copy.
  /// - Throws: the errors of ``MemeStore/changes(of:since:limit:)``.
  package func changes(
    of viewer: Principal, since position: SyncPosition?, limit: PageLimit
  ) async throws -> SyncPage {
    try await store.changes(of: viewer, since: position, limit: limit.count)
  }

  /// The same page. If there are no changes yet, waits for them until the deadline.
  ///
  /// - Parameter subscription: a subscription to the viewer's memes from before the call.
  /// - Returns: an empty page if no change came before the deadline, or the subscription ended.
  package func changes(
    of viewer: Principal, since position: SyncPosition?, limit: PageLimit,
    on subscription: ChangeSubscription, until deadline: ContinuousClock.Instant
  ) async throws -> SyncPage {
    while true {
      let page = try await changes(of: viewer, since: position, limit: limit)
      guard page.changes.isEmpty, await subscription.next(until: deadline) == .changed else {
        return page
      }
    }
  }

  /// The position of a client that has all committed changes of the user.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func newestPosition(of person: UserID) async throws -> SyncPosition {
    try await store.newestPosition(of: person)
  }

  /// Observes changes of the user's memes.
  package func subscribe(to person: UserID) -> ChangeSubscription { bell.subscribe(to: person) }
}
