package import Memes
package import Storage

/// Deletes expired access tokens.
package struct AccessTokenPurge: Purge {
  private let store: AccessTokenStore
  private let now: @Sendable () -> Timestamp

  package init(store: AccessTokenStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeTokens(at: now(), .standard)
  }
}
