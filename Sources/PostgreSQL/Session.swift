import Bytes
import CPQ
import SQL

/// One transaction on a connection.
final class Session: DatabaseSession {
  enum Kind {
    /// Sees one state of the database. Its transaction is implicit: it begins with the first statement and ends where
    /// the pipeline is synchronized, without BEGIN and COMMIT.
    case read
    /// Sees at each statement what is committed by then. Rules that compare or count take a lock.
    case write
  }

  /// How a transaction ended.
  enum End {
    case committed
    /// The server has not kept any of it.
    case rolledBack(ServerFailure)
    /// The connection broke after COMMIT was sent, so nobody knows.
    case unknown(ServerFailure)
  }

  private let connection: Connection
  private let kind: Kind
  /// The first failure. PostgreSQL refuses all statements after it.
  private(set) var failure: ServerFailure?
  private var hasBegun = false
  /// When the queries within ``within(_:_:)`` must end.
  private var deadline: ContinuousClock.Instant?

  init(_ connection: Connection, _ kind: Kind) { (self.connection, self.kind) = (connection, kind) }

  var dialect: Dialect { .postgreSQL }

  func cursor(_ sql: String, _ values: [any Bindable]) throws -> any Cursor {
    guard kind == .write || Self.isQuery(sql) else {
      throw DatabaseError(.misuse, "A read cannot change anything: \(sql)")
    }
    return try ResultCursor(
      try noting {
        try begin()
        try limitTime()
        return try connection.run(sql, values, staying: kind == .read)
      })
  }

  func post(_ sql: String, _ values: [any Bindable]) throws {
    guard kind == .write else { throw DatabaseError(.misuse, "A read posts nothing: \(sql)") }
    try noting {
      try begin()
      try connection.send(sql, values)
    }
  }

  private func begin() throws {
    guard !hasBegun else { return }
    // An earlier transaction did not wait for these results. Its failure does not concern this one, but a broken
    // connection does.
    do {
      if let rest = try connection.drain() { PQclear(rest) }
    } catch  where !connection.isBroken {}
    guard !connection.isBroken else {
      throw ServerFailure.connection("the server has ended the connection")
    }
    hasBegun = true
    if kind == .write { try connection.post("BEGIN ISOLATION LEVEL READ COMMITTED") }
  }

  private static func isQuery(_ sql: String) -> Bool {
    let text = sql.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return ["SELECT", "WITH", "EXPLAIN", "PREPARE"].contains { text.starts(with: $0.utf8) }
  }

  private func limitTime() throws {
    guard let deadline else { return }
    let milliseconds = (deadline - .now).milliseconds
    guard milliseconds > 0 else {
      throw ServerFailure(state: "57014", message: "the time for these queries is over")
    }
    try limitTime(to: milliseconds)
  }

  /// Outside of BEGIN and COMMIT, `SET LOCAL` would log a warning.
  private func limitTime(to milliseconds: Int) throws {
    try connection.send(
      "SELECT set_config('statement_timeout', ?, TRUE)", ["\(milliseconds)"])
  }

  func blob(table: String, column: String, row: Int64) throws -> Bytes {
    let cursor = try cursor(
      "SELECT \(column) FROM \(table) WHERE \(Self.key(of: table)) = ?", [row])
    guard try cursor.step() else {
      throw DatabaseError(.misuse, "There is no row \(row) in \(table).")
    }
    return try Row(cursor)[0]
  }

  /// The column with the row's number.
  private static func key(of table: String) -> String { table == "blobs" ? "id" : "seq" }

  /// Writes a message to the log of the database, which no one reads.
  func rewrite() throws {
    let cursor = try cursor(
      "SELECT pg_logical_emit_message(TRUE, ?, ?) IS NOT NULL", ["mememe", "rewrite"])
    _ = try cursor.step()
  }

  func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value {
    deadline = .now + duration
    defer { deadline = nil }
    let value = try body()
    if hasBegun {
      try noting { try limitTime(to: connection.statementTimeout.milliseconds) }
    }
    return value
  }

  func plan(of sql: String, _ values: [any Bindable]) throws -> [String] {
    let cursor = try cursor("EXPLAIN " + sql, values)
    var lines: [String] = []
    while try cursor.step() { lines.append(try Row(cursor)[0]) }
    return lines
  }

  /// Ends a transaction whose body succeeded.
  func commit() -> End {
    if let failure {
      // The body has caught the failure. COMMIT would answer ROLLBACK.
      rollBack()
      return .rolledBack(failure)
    }
    guard hasBegun else { return .committed }
    // The server has ended the connection after the last statement.
    guard !connection.isBroken else {
      return .rolledBack(.connection("the server ended the connection before COMMIT"))
    }
    do throws(ServerFailure) {
      if kind == .write { try connection.post("COMMIT") }
      try connection.synchronize()
    } catch { return kind == .write ? .unknown(error) : .rolledBack(error) }
    // Nothing depends on the end of a read. The next transaction on the connection waits for it.
    return kind == .write ? connection.endOfTransaction() : .committed
  }

  func rollBack() {
    guard hasBegun, !connection.isBroken else { return }
    // A failure breaks the connection, which is then not used again.
    do throws(ServerFailure) {
      if kind == .write { try connection.post("ROLLBACK") }
      try connection.synchronize()
    } catch {}
  }

  private func noting<Value>(_ body: () throws -> Value) throws -> Value {
    if let failure { throw failure.databaseError }
    do { return try body() } catch let error as ServerFailure {
      failure = error
      throw error.databaseError
    }
  }
}
