import Synchronization

/// Limits how many instances of a resource exist at once, because all tests start together.
package final class Slots: Sendable {
  /// Whole servers.
  package static let servers = Slots(count: 8)
  /// Daemons without a server. Each has about a dozen files and sockets.
  package static let daemons = Slots(count: 16)
  /// Torture runs with several processes each, which are killed after a random time.
  package static let lives = Slots(count: 3)

  private let state: Mutex<State>

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a free slot.
  package func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  package func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
