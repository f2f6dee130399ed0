package import Memes

/// What several services share: the clock, digests, idempotency keys, and the disk space.
package struct ServiceContext: Sendable {
  /// The clock for the times of changes.
  package let now: @Sendable () -> Timestamp
  /// SHA-256.
  package let digest: Digester
  /// Whether the disk has room for more data; the rest is reserved for deletions.
  package let hasRoom: @Sendable () -> Bool
  /// Shared by all services, because a key belongs to the first request that uses it, whatever that request creates.
  package let idempotency: Idempotency

  package init(
    now: @escaping @Sendable () -> Timestamp, digest: @escaping Digester,
    hasRoom: @escaping @Sendable () -> Bool, idempotency: Idempotency
  ) {
    (self.now, self.digest) = (now, digest)
    (self.hasRoom, self.idempotency) = (hasRoom, idempotency)
  }
}
