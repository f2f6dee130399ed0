import Synchronization

/// An asynchronous lock. Waiting tasks acquire it in the order of their requests.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func begin() async {
    await withCheckedContinuation { caller in
      let isFree = state.withLock { state in
        if !state.isTaken {
          state.isTaken = true
          return true
        }
        state.waiting.append(caller)
        return false
      }
      if isFree { caller.resume() }
    }
  }

  func end() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
