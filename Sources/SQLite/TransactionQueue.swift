import Synchronization

/// The transactions that wait for the writer, in the order of their requests. Safe to use from any thread.
final class TransactionQueue: Sendable {
  enum Joining {
    /// The line is being served, and the transaction's turn will come.
    case waits
    /// The line is not being served, so the caller must start to serve it.
    case needsService
    /// The line is closed, and the transaction was not added.
    case isRefused
  }

  private struct State {
    var waiting: [any Waiting] = []
    var isServed = false
    var isClosed = false
  }

  private let state = Mutex(State())

  /// The number of waiting transactions.
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

  /// Removes and returns the first transaction. If none waits, the service ends.
  func nextOrEnd() -> (any Waiting)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isServed = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Removes and returns the first transaction, if one waits and `mayCome` accepts it.
  func next(where mayCome: (any Waiting) -> Bool) -> (any Waiting)? {
    state.withLock { state in
      guard let first = state.waiting.first, mayCome(first) else { return nil }
      return state.waiting.removeFirst()
    }
  }

  /// Refuses all further transactions. The waiting ones are still served.
  func close() { state.withLock { $0.isClosed = true } }
}
