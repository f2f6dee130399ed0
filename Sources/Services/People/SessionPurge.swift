package import Memes
package import Storage

/// Deletes expired sessions.
package struct SessionPurge: Purge {
  private let store: SessionStore
  private let now: @Sendable () -> Timestamp

  package init(store: SessionStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeSessions(at: now(), .standard)
  }
}
