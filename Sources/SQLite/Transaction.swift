package import Bytes
import CSQLite

/// The database within a transaction. It is lent to a synchronous closure and cannot leave it.
///
/// Its methods throw the transaction's own type of error, so that a use case sees one type throughout.
package struct Transaction<Failure: SQLiteFailure>: ~Copyable {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Runs a statement to its end.
  ///
  /// - Parameter values: one for each `?`, in order.
  /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed.
  @discardableResult
  package func run(_ sql: String, _ values: any Bindable...) throws(Failure) -> Int {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement(sql, values) { statement throws(SQLiteError) in
        while try statement.step() {}
        return Int(sqlite3_changes64(connection.handle))
      }
    }
  }

  /// Inserts a row.
  ///
  /// - Returns: its rowid.
  package func insert(_ sql: String, _ values: any Bindable...) throws(Failure) -> Int64 {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement(sql, values) { statement throws(SQLiteError) in
        _ = try statement.step()
        return sqlite3_last_insert_rowid(connection.handle)
      }
    }
  }

  /// The first row of a query, decoded, or `nil` where there is none.
  package func first<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(Failure) -> Value? {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement(sql, values) { statement throws(SQLiteError) in
        try statement.step() ? try statement.withRow(decode) : nil
      }
    }
  }

  /// All rows of a query, decoded.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(Failure) -> [Value] {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement(sql, values) { statement throws(SQLiteError) in
        var rows: [Value] = []
        while try statement.step() { rows.append(try statement.withRow(decode)) }
        return rows
      }
    }
  }

  /// The rows of a query up to the first one that `isPastEnd` accepts, which is left out. SQLite does not look for rows after it.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    until isPastEnd: (Value) -> Bool, decode: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(Failure) -> [Value] {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement(sql, values) { statement throws(SQLiteError) in
        var rows: [Value] = []
        while try statement.step() {
          let row = try statement.withRow(decode)
          if isPastEnd(row) { break }
          rows.append(row)
        }
        return rows
      }
    }
  }

  /// Reads a large blob straight into its own memory: half the time of reading it as a column, which copies it twice.
  ///
  /// - Throws: SQLite's error code 1 where there is no such row, or the column holds no bytes.
  package func blob(
    table: String, column: String, row: Int64
  ) throws(Failure) -> Bytes {
    try named(Failure.self) { () throws(SQLiteError) in
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
      guard let bytes else { throw SQLiteError(.noMemory, "No memory for a blob.") }
      return bytes
    }
  }

  /// Writes a page as it is, so that the commit has something to bring to the disk and changes nothing.
  package func rewrite() throws(Failure) {
    let version = try first("PRAGMA user_version") { row throws(SQLiteError) in try row[0] as Int }
    try run("PRAGMA user_version = \(version ?? 0)")
  }

  /// How SQLite would run a query, one line a step: for tests that hold a query to its index.
  package func plan(of sql: String, _ values: any Bindable...) throws(Failure) -> [String] {
    try named(Failure.self) { () throws(SQLiteError) in
      try connection.withStatement("EXPLAIN QUERY PLAN " + sql, values) {
        statement throws(SQLiteError) in
        var lines: [String] = []
        while try statement.step() {
          lines.append(try statement.withRow { row throws(SQLiteError) in try row[3] })
        }
        return lines
      }
    }
  }
}
