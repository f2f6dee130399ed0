import Synchronization

/// The keys whose first request is being answered in this process. Safe to use from any thread.
///
/// It holds no more keys than requests run, and is empty after a crash: what a crash cut short either was stored with its
/// answer or left no trace, and may be sent again.
final class KeysInFlight: Sendable {
  private let keys = Mutex<Set<RetryKey>>([])

  /// - Returns: `false` where a request of this key runs already; else ``end(_:)`` must follow.
  func begin(_ key: RetryKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

  func end(_ key: RetryKey) { _ = keys.withLock { $0.remove(key) } }
}
