package import Memes
package import Storage

/// Deletes expired responses to requests with an idempotency key.
package struct IdempotencyPurge: Purge {
  private let store: IdempotencyStore
  private let now: @Sendable () -> Timestamp

  package init(store: IdempotencyStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int { try await store.purgeResponses(at: now()) }
}
