import Synchronization

/// How many of something there are at once: tests are many, and all of them start together.
package final class Slots: Sendable {
  /// Whole servers.
  package static let servers = Slots(count: 8)
  /// Daemons without a server behind them: each has a dozen files and sockets.
  package static let daemons = Slots(count: 16)
  /// Lives of several processes each, that are killed by the clock.
  package static let lives = Slots(count: 3)

  private let state: Mutex<State>

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits until there is room for one more.
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
