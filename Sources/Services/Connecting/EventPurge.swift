package import Memes
package import Storage

/// Gives up events that could not be delivered for a week.
package struct EventPurge: Purge {
  private let store: EventStore
  private let now: @Sendable () -> Timestamp

  package init(store: EventStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeEvents(at: now(), .standard)
  }
}
