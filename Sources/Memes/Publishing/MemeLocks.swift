import Synchronization

/// Lets those who change one meme go one after the other, in the order in which they come.
///
/// What waits is no more than the connections that there may be. Safe to use from any thread.
final class MemeTurns: Sendable {
  /// Those who wait behind the one who has the turn, for each meme that somebody changes.
  private let waiting = Mutex<[MemeID: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits for the turn. ``end(_:)`` must follow, whatever happens.
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
