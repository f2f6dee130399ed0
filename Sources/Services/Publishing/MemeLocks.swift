import Memes
import Synchronization

/// A lock per meme: changes of the same meme run one after the other, in order of arrival.
///
/// The connection limit bounds the number of waiting tasks. Safe to use from any thread.
final class MemeLocks: Sendable {
  /// The waiting tasks of each locked meme, without the task that holds the lock.
  private let waiting = Mutex<[MemeID: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits for the lock. Every call must be balanced by ``end(_:)``.
  func begin(_ id: MemeID) async {
    await withCheckedContinuation { continuation in
      let isFree = waiting.withLock { waiting in
        guard waiting[id] != nil else {
          waiting[id] = []
          return true
        }
        waiting[id]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func end(_ id: MemeID) {
    let next: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
      guard waiting[id]?.isEmpty == false else {
        waiting[id] = nil
        return nil
      }
      return waiting[id]?.removeFirst()
    }
    next?.resume()
  }
}
