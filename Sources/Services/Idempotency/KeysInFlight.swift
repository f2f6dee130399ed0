import Memes
import Synchronization

/// The idempotency keys whose first request is running in this process. Safe to use from any thread.
///
/// Holds at most one key per running request. The set is empty after a crash, which is correct: an interrupted request
/// either was stored together with its response, or left no trace and can be repeated.
final class KeysInFlight: Sendable {
  private let keys = Mutex<Set<StoredIdempotencyKey>>([])

  /// - Returns: `false` if a request with this key is running. Otherwise the caller must call ``end(_:)``.
  func begin(_ key: StoredIdempotencyKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

  func end(_ key: StoredIdempotencyKey) { _ = keys.withLock { $0.remove(key) } }
}
