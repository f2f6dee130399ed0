import CSQLite
import SQL
import Synchronization

/// Interrupts SQLite's current work from another thread, and all later work too.
///
/// Safe to use from any thread.
package final class Interruption: Sendable {
  private struct State {
    var isOver = false
    // Accessed only under the lock, and `nil` again before the connection can close. While it is open, any thread may
    // call sqlite3_interrupt.
    nonisolated(unsafe) var running: OpaquePointer?
  }

  private let state = Mutex(State())

  package init() {}

  /// Ends the current work, and all work that begins later, with ``DatabaseError/Code/interrupted``.
  package func interrupt() {
    state.withLock { state in
      state.isOver = true
      if let running = state.running { sqlite3_interrupt(running) }
    }
  }

  fileprivate func begin(_ handle: OpaquePointer) throws(DatabaseError) {
    let isOver = state.withLock { state in
      if !state.isOver { state.running = handle }
      return state.isOver
    }
    guard !isOver else { throw DatabaseError(.interrupted, "The operation was interrupted.") }
  }

  fileprivate func end() { state.withLock { $0.running = nil } }
}

extension Transaction {
  /// Runs `body`, whose queries `interruption` can end. One transaction at a time may use an interruption.
  ///
  /// - Throws: the error of `body`; ``DatabaseError/Code/interrupted`` if a query was ended or could not begin.
  package func ended<Value>(
    by interruption: Interruption, _ body: () throws -> Value
  ) throws -> Value {
    guard let connection = session as? Connection else {
      throw DatabaseError(.misuse, "Only SQLite can be interrupted.")
    }
    try interruption.begin(connection.handle)
    defer { interruption.end() }
    return try body()
  }
}
