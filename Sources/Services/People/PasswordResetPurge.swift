package import Memes
package import Storage

/// Deletes expired password resets.
package struct PasswordResetPurge: Purge {
  private let store: PasswordResetStore
  private let now: @Sendable () -> Timestamp

  package init(store: PasswordResetStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeResets(madeBy: PasswordResets.limit(at: now()), .standard)
  }
}
