package import Memes
package import Storage

/// Deletes expired uploads.
package struct UploadPurge: Purge {
  private let store: UploadStore
  private let batch: PurgeBatch
  private let now: @Sendable () -> Timestamp

  package init(
    store: UploadStore, batch: PurgeBatch = .standard,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.batch, self.now) = (store, batch, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeUploads(expiredAt: now(), batch)
  }
}
