import Bytes
import Foundation
import PostgreSQL
import SQL
import Synchronization

/// A database whose first write stops before one of its statements, until it may continue.
final class SteppedDatabase: Database {
  let readers: PostgreSQLReaders
  let writer: SteppedWriter

  /// - Parameter stop: the number of statements before the stop.
  init(_ database: PostgreSQLDatabase, after stop: Int) {
    (readers, writer) = (database.readers, SteppedWriter(database.writer, StepGate(after: stop)))
  }
}

/// Where one thread stops, and another lets it go on.
final class StepGate: Sendable {
  private let stop: Int
  private let count = Mutex(0)
  private let arrived = DispatchSemaphore(value: 0)
  private let open = DispatchSemaphore(value: 0)
  private let stopped = Mutex(false)

  init(after stop: Int) { self.stop = stop }

  /// Whether the write had so many statements.
  var hasStopped: Bool { stopped.withLock(\.self) }

  func step() {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    guard number == stop else { return }
    stopped.withLock { $0 = true }
    arrived.signal()
    open.wait()
  }

  /// The write has ended, perhaps without a stop.
  func end() { arrived.signal() }

  /// Blocks until the write has stopped or ended.
  func waitForStop() { arrived.wait() }

  func letGoOn() { open.signal() }
}

extension Scratch {
  /// Returns when a transaction waits for a lock, and after about ten seconds at the latest.
  func waitForLock() async throws {
    for _ in 0..<5000 {
      let waiting = try database.integer(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """)
      if waiting ?? 0 > 0 { return }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

final class SteppedWriter: Writer {
  let gate: StepGate
  private let writer: PostgreSQLWriter

  init(_ writer: PostgreSQLWriter, _ gate: StepGate) { (self.writer, self.gate) = (writer, gate) }

  @discardableResult
  func transaction<Value: Sendable>(
    bytes: Int, whenDurable: @escaping @Sendable (Value) -> Void,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    try await writer.transaction(bytes: bytes, whenDurable: whenDurable) { [gate] db in
      // A stop can take longer on a busy machine.
      try db.post("SELECT set_config('idle_in_transaction_session_timeout', '0', TRUE)")
      let value = try body(Transaction(SteppedSession(db.session, gate)))
      // Before COMMIT.
      gate.step()
      return value
    }
  }
}

private final class SteppedSession: DatabaseSession {
  private let session: any DatabaseSession
  private let gate: StepGate

  init(_ session: any DatabaseSession, _ gate: StepGate) {
    (self.session, self.gate) = (session, gate)
  }

  var dialect: Dialect { session.dialect }

  func cursor(_ sql: String, _ values: [any Bindable]) throws -> any Cursor {
    gate.step()
    return try session.cursor(sql, values)
  }

  func post(_ sql: String, _ values: [any Bindable]) throws {
    gate.step()
    try session.post(sql, values)
  }

  func blob(table: String, column: String, row: Int64) throws -> Bytes {
    gate.step()
    return try session.blob(table: table, column: column, row: row)
  }

  func rewrite() throws { try session.rewrite() }

  func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value {
    try session.within(duration, body)
  }

  func plan(of sql: String, _ values: [any Bindable]) throws -> [String] {
    try session.plan(of: sql, values)
  }
}
