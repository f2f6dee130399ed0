package import Bytes
import CSQLite

/// The database within a transaction. It is lent to a synchronous closure and cannot escape from it.
package struct Transaction: ~Copyable {
  let connection: Connection

  // Swift 6.3.1 crashes if it specializes a generic function into which this is inlined.
  @inline(never)
  init(_ connection: Connection) { self.connection = connection }

  /// Runs a statement to completion.
  ///
  /// - Parameter values: one for each `?`, in order.
  /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed.
  @discardableResult
  package func run(_ sql: String, _ values: any Bindable...) throws -> Int {
    let statement = try connection.statement(sql, values)
    defer { connection.keep(statement) }
    while try statement.step() {}
    return Int(sqlite3_changes64(connection.handle))
  }

  /// Inserts a row.
  ///
  /// - Returns: the row's rowid.
  package func insert(_ sql: String, _ values: any Bindable...) throws -> Int64 {
    let statement = try connection.statement(sql, values)
    defer { connection.keep(statement) }
    _ = try statement.step()
    return sqlite3_last_insert_rowid(connection.handle)
  }

  /// The first row of a query, decoded, or `nil` if the query returns no row.
  package func first<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (inout Row) throws -> Value
  ) throws -> Value? {
    let statement = try connection.statement(sql, values)
    defer { connection.keep(statement) }
    guard try statement.step() else { return nil }
    var row = statement.row
    return try decode(&row)
  }

  /// All rows of a query, decoded.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (inout Row) throws -> Value
  ) throws -> [Value] {
    let statement = try connection.statement(sql, values)
    defer { connection.keep(statement) }
    var rows: [Value] = []
    while try statement.step() {
      var row = statement.row
      rows.append(try decode(&row))
    }
    return rows
  }

  /// The rows of a query before the first one that `isPastEnd` accepts. SQLite does not search for rows after it.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    until isPastEnd: (Value) -> Bool, decode: (inout Row) throws -> Value
  ) throws -> [Value] {
    let statement = try connection.statement(sql, values)
    defer { connection.keep(statement) }
    var rows: [Value] = []
    while try statement.step() {
      var row = statement.row
      let value = try decode(&row)
      if isPastEnd(value) { break }
      rows.append(value)
    }
    return rows
  }

  /// Reads a large blob directly into its own memory. This takes half the time of reading
  /// it as a column, which copies it twice.
  ///
  /// - Throws: an error with SQLite's code 1 if the row does not exist or the column holds no bytes.
  package func blob(
    table: String, column: String, row: Int64
  ) throws -> Bytes {
    var blob: OpaquePointer?
    SQLiteError.forgetSystemError()
    let opened = sqlite3_blob_open(connection.handle, "main", table, column, row, 0, &blob)
    guard opened == SQLITE_OK, let blob else {
      throw SQLiteError(opened, in: connection.handle)
    }
    defer { sqlite3_blob_close(blob) }
    let bytes = try Bytes(count: Int(sqlite3_blob_bytes(blob))) { memory throws(SQLiteError) in
      let read = sqlite3_blob_read(blob, memory.baseAddress, Int32(memory.count), 0)
      guard read == SQLITE_OK else { throw SQLiteError(read, in: connection.handle) }
    }
    guard let bytes else { throw SQLiteError(.noMemory, "Not enough memory for a blob.") }
    return bytes
  }

  /// Rewrites a page without a change, so that the commit has a page to write to the disk.
  package func rewrite() throws {
    let version = try first("PRAGMA user_version") { row in try row[0] as Int }
    try run("PRAGMA user_version = \(version ?? 0)")
  }

  /// The plan of SQLite for a query, one line per step. For tests that verify the use of an index.
  package func plan(of sql: String, _ values: any Bindable...) throws -> [String] {
    let statement = try connection.statement("EXPLAIN QUERY PLAN " + sql, values)
    defer { connection.keep(statement) }
    var lines: [String] = []
    while try statement.step() {
      lines.append(try statement.row[3])
    }
    return lines
  }
}
