import SQL
import Synchronization

/// The connections to a server. They are opened when they are needed, and kept.
final class Connections: Sendable {
  /// A connection in transfer between the pool and the one thread that uses it.
  // Only the thread that has taken it uses it.
  private struct Idle: @unchecked Sendable { let connection: Connection }

  let address: ServerAddress
  private let statementTimeout: Duration
  private let idle = Mutex<[Idle]>([])
  let turns: Turns

  init(_ address: ServerAddress, limits: Turns.Limits, statementTimeout: Duration) {
    (self.address, self.statementTimeout) = (address, statementTimeout)
    turns = Turns(limits)
  }

  /// Runs `body` in a transaction, on the calling thread. Runs it again where the failure table of
  /// docs/decisions/0083-blocking-connections-to-postgresql.md says so.
  func transaction<Value>(
    _ kind: Session.Kind, _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    var retries = Retries()
    while true {
      let failure: ServerFailure
      switch attempt(kind, body) {
      case .value(let value): return value
      case .unknown(let failure):
        // It may be durable or not, so it must not run again.
        throw DatabaseError(
          .inputOutput, "The connection broke during COMMIT: \(failure.message)",
          engineCode: "PostgreSQL error \(failure.state)")
      case .failed(let error, nil): throw error
      case .failed(let error, let reason?):
        guard retries.mayRetry(after: reason) else { throw error }
        failure = reason
      }
      // The other connections probably broke too.
      if failure.remedy == .newConnection { closeIdle() }
    }
  }

  private enum Attempt<Value> {
    case value(Value)
    case failed(any Error, ServerFailure?)
    case unknown(ServerFailure)
  }

  private func attempt<Value>(
    _ kind: Session.Kind, _ body: (borrowing Transaction) throws -> Value
  ) -> Attempt<Value> {
    let connection: Connection
    do throws(ServerFailure) { connection = try take() } catch {
      return .failed(error.databaseError, error)
    }
    let session = Session(connection, kind)
    defer { keep(connection) }
    do {
      let value = try body(Transaction(session))
      return switch session.commit() {
      case .committed: .value(value)
      case .rolledBack(let failure): .failed(failure.databaseError, failure)
      case .unknown(let failure): .unknown(failure)
      }
    } catch {
      session.rollBack()
      return .failed(error, session.failure)
    }
  }

  private func take() throws(ServerFailure) -> Connection {
    if let known = idle.withLock({ $0.popLast() }) { return known.connection }
    let new = try address.connect(statementTimeout: statementTimeout)
    // For implicit transactions. Whether transactions may write stays as the admin of the database has set it.
    try new.script(
      "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    try new.beginPipeline()
    return new
  }

  private func keep(_ connection: Connection) {
    guard !connection.isBroken else { return }
    let one = Idle(connection: connection)
    idle.withLock { $0.append(one) }
  }

  /// Closes the connections that are not in use.
  func closeIdle() { idle.withLock { $0.removeAll() } }
}

/// How often a transaction may run again.
struct Retries {
  private let begin = ContinuousClock.now
  private var (connections, conflicts, constraints) = (0, 0, 0)

  /// Waits where that helps.
  mutating func mayRetry(after failure: ServerFailure) -> Bool {
    switch failure.remedy {
    case .none: return false
    case .onceMore:
      constraints += 1
      return constraints == 1
    case .again:
      conflicts += 1
      guard conflicts <= 5 else { return false }
      pause(.milliseconds(Int.random(in: 5...80)))
    case .newConnection:
      connections += 1
      guard connections <= 3, ContinuousClock.now - begin < .seconds(2) else { return false }
      pause(.milliseconds(Int.random(in: 50...300)))
    }
    return true
  }
}
