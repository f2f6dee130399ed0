import Synchronization

/// Those who wait for the writer, in the order in which they asked. Safe to use from any thread.
final class WaitingLine: Sendable {
  enum Joining {
    /// Somebody serves the line and will come to it.
    case waits
    /// Nobody serves the line: whoever joined it has to see to that.
    case needsService
    /// The line is closed, and it did not join.
    case isRefused
  }

  private struct State {
    var waiting: [any Waiting] = []
    var isServed = false
    var isClosed = false
  }

  private let state = Mutex(State())

  /// How many wait.
  var count: Int { state.withLock { $0.waiting.count } }

  func join(_ one: any Waiting) -> Joining {
    state.withLock { state in
      if state.isClosed { return .isRefused }
      state.waiting.append(one)
      if state.isServed { return .waits }
      state.isServed = true
      return .needsService
    }
  }

  /// Takes the first out; where there is none, the service ends.
  func nextOrEnd() -> (any Waiting)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isServed = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Takes the first out if there is one and it may come.
  func next(where mayCome: (any Waiting) -> Bool) -> (any Waiting)? {
    state.withLock { state in
      guard let first = state.waiting.first, mayCome(first) else { return nil }
      return state.waiting.removeFirst()
    }
  }

  /// Lets nobody join any more. Who waits is served.
  func close() { state.withLock { $0.isClosed = true } }
}
