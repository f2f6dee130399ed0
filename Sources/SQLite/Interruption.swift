import CSQLite
import Synchronization

/// Ends what SQLite is busy with, from another thread. It holds for all that follows, too.
///
/// Safe to use from any thread.
package final class Interruption: Sendable {
  private struct State {
    var isOver = false
    // In use by the thread that set it, until it is `nil` again; to interrupt it is allowed from any.
    nonisolated(unsafe) var running: OpaquePointer?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the work under way, and all that would begin after it, by ``SQLiteError/Code/interrupted``.
  package func interrupt() {
    state.withLock { state in
      state.isOver = true
      if let running = state.running { sqlite3_interrupt(running) }
    }
  }

  fileprivate func begin(_ handle: OpaquePointer) throws(SQLiteError) {
    let isOver = state.withLock { state in
      if !state.isOver { state.running = handle }
      return state.isOver
    }
    guard !isOver else { throw SQLiteError(.interrupted, "It was given up.") }
  }

  fileprivate func end() { state.withLock { $0.running = nil } }
}

extension Transaction {
  /// Runs `body`, whose queries `interruption` ends; one transaction at a time.
  ///
  /// - Throws: what `body` throws; for a query that was ended, or not begun, that is made of ``SQLiteError/Code/interrupted``.
  package func ended<Value>(
    by interruption: Interruption, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try named(Failure.self) { () throws(SQLiteError) in
      try interruption.begin(connection.handle)
    }
    defer { interruption.end() }
    return try body()
  }
}
