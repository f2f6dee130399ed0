import Bytes
import PostgreSQL
import SQL
import Synchronization

/// A database that runs the plan of each statement before the statement itself, and counts the rows that it visits.
///
/// The plan is the one that the server uses: without regard to the values, planned by the settings of its connections.
final class MeasuredDatabase: Database {
  let readers: MeasuredReaders
  let writer: PostgreSQLWriter

  init(_ database: PostgreSQLDatabase) {
    (readers, writer) = (MeasuredReaders(database.readers), database.writer)
  }

  /// The statements since the last call.
  func takeVisits() -> [Visit] {
    readers.visits.withLock { visits in
      defer { visits = [] }
      return visits
    }
  }
}

/// The run of a statement.
struct Visit: Sendable {
  let sql: String
  let plan: [String]

  /// The number of rows that the busiest step of the plan read, with those that did not match.
  var rows: Double {
    var (most, rows, loops) = (0.0, 0.0, 0.0)
    for line in plan {
      if let match = line.firstMatch(of: /\(actual rows=([0-9.]+) loops=([0-9]+)\)/) {
        loops = Double(match.2) ?? 0
        rows = (Double(match.1) ?? 0) * loops
      } else if let match = line.firstMatch(of: /Rows Removed by [A-Za-z ]+: ([0-9]+)/) {
        rows += (Double(match.1) ?? 0) * loops
      }
      most = max(most, rows)
    }
    return most
  }

  /// The tables that are read without an index.
  var scans: Set<String> {
    Set(plan.compactMap { $0.firstMatch(of: /Seq Scan on ([a-z_]+)/).map { String($0.1) } })
  }
}

final class MeasuredReaders: Readers {
  fileprivate let visits = Mutex<[Visit]>([])
  private let readers: PostgreSQLReaders

  init(_ readers: PostgreSQLReaders) { self.readers = readers }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    try await readers.read { [self] db in try measured(db, body) }
  }

  func blockingRead<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    try readers.blockingRead { db in try measured(db, body) }
  }

  func readLong<Value: Sendable>(
    for caller: String?, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    try await readers.readLong(for: caller) { [self] db in try measured(db, body) }
  }

  private func measured<Value>(
    _ db: borrowing Transaction, _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    let session = MeasuredSession(db.session)
    let value = try body(Transaction(session))
    visits.withLock { $0 += session.visits }
    return value
  }
}

private final class MeasuredSession: DatabaseSession {
  private let session: any DatabaseSession
  private(set) var visits: [Visit] = []

  init(_ session: any DatabaseSession) { self.session = session }

  var dialect: Dialect { session.dialect }

  func cursor(_ sql: String, _ values: [any Bindable]) throws -> any Cursor {
    // Planned once for each connection, as the server does: planning takes longer than running.
    let name = "measured_\(UInt(bitPattern: sql.hashValue))"
    if try rows("SELECT name FROM pg_prepared_statements WHERE name = '\(name)'", []).isEmpty {
      let types = values.isEmpty ? "" : "(\(values.map(\.typeName).joined(separator: ", ")))"
      _ = try rows("PREPARE \(name) \(types) AS \(sql)", values)
    }
    let literals = values.isEmpty ? "" : "(\(values.map(\.literal).joined(separator: ", ")))"
    let plan = try rows(
      "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE \(name) \(literals)", [])
    visits.append(Visit(sql: sql, plan: plan))
    return try session.cursor(sql, values)
  }

  private func rows(_ sql: String, _ values: [any Bindable]) throws -> [String] {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    var rows: [String] = []
    while try cursor.step() { rows.append(try Row(cursor)[0]) }
    return rows
  }

  func post(_ sql: String, _ values: [any Bindable]) throws { try session.post(sql, values) }

  func blob(table: String, column: String, row: Int64) throws -> Bytes {
    try session.blob(table: table, column: column, row: row)
  }

  func rewrite() throws { try session.rewrite() }

  func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value {
    try session.within(duration, body)
  }

  func plan(of sql: String, _ values: [any Bindable]) throws -> [String] {
    try session.plan(of: sql, values)
  }
}

extension Bindable {
  fileprivate var typeName: String {
    switch Self.sqlType {
    case .boolean: "boolean"
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    case .blob: "bytea"
    }
  }

  fileprivate var literal: String {
    switch sqlValue {
    case .null: "NULL"
    case .integer(let number) where Self.sqlType == .boolean: number == 0 ? "FALSE" : "TRUE"
    // The lowest number has no literal of its type.
    case .integer(let number): "'\(number)'"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes):
      "'\\x\(bytes.withUnsafeBytes { Hexadecimal.text(of: $0) })'"
    }
  }
}
