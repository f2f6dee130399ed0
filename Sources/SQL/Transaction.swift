package import Bytes

/// The database within a transaction. It is lent to a synchronous closure and cannot escape from it.
package struct Transaction: ~Copyable {
  /// The connection. For its engine.
  package let session: any DatabaseSession

  // Swift 6.3.1 crashes if it specializes a generic function into which this is inlined.
  @inline(never)
  package init(_ session: any DatabaseSession) { self.session = session }

  package var dialect: Dialect { session.dialect }

  /// Runs a statement to completion.
  ///
  /// - Parameter values: one for each `?`, in order.
  /// - Returns: the number of rows that an INSERT, UPDATE or DELETE changed.
  @discardableResult
  package func run(_ sql: String, _ values: any Bindable...) throws -> Int {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    while try cursor.step() {}
    return cursor.changes
  }

  /// Runs a statement whose result nobody needs. A later statement, or the end of the transaction, may throw its error.
  package func post(_ sql: String, _ values: any Bindable...) throws {
    try session.post(sql, values)
  }

  /// Does the same for a statement whose number of parameters the program does not know.
  package func post(_ sql: String, values: [any Bindable]) throws {
    try session.post(sql, values)
  }

  /// Inserts a row.
  ///
  /// - Parameter sql: an INSERT with a RETURNING clause for one integer.
  /// - Returns: this integer, such as the row's number.
  package func insert(_ sql: String, _ values: any Bindable...) throws -> Int64 {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    guard try cursor.step() else { throw DatabaseError(.misuse, "No row was inserted: \(sql)") }
    let number: Int64 = try Row(cursor)[0]
    // A constraint may fail only at the end of the statement.
    while try cursor.step() {}
    return number
  }

  /// The first column of a query's first row, or `nil` if the query returns no row.
  package func value<Value: ColumnValue>(
    _ sql: String, _ values: any Bindable...
  ) throws -> Value? {
    try first(sql, values: values) { row in try row.next() as Value }
  }

  /// Whether a query returns a row.
  package func exists(_ sql: String, _ values: any Bindable...) throws -> Bool {
    try first(sql, values: values) { _ in true } ?? false
  }

  /// The first column of all rows of a query.
  package func column<Value: ColumnValue>(
    _ sql: String, _ values: any Bindable...
  ) throws -> [Value] {
    try all(sql, values: values) { row in try row.next() as Value }
  }

  /// The first row of a query, decoded, or `nil` if the query returns no row.
  package func first<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (inout Row) throws -> Value
  ) throws -> Value? {
    try first(sql, values: values, decode: decode)
  }

  /// Does the same for a query whose number of parameters the program does not know.
  package func first<Value>(
    _ sql: String, values: [any Bindable], decode: (inout Row) throws -> Value
  ) throws -> Value? {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    guard try cursor.step() else { return nil }
    var row = Row(cursor)
    return try decode(&row)
  }

  /// All rows of a query, decoded.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    decode: (inout Row) throws -> Value
  ) throws -> [Value] {
    try all(sql, values: values, decode: decode)
  }

  /// Does the same for a query whose number of parameters the program does not know.
  package func all<Value>(
    _ sql: String, values: [any Bindable], decode: (inout Row) throws -> Value
  ) throws -> [Value] {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    var rows: [Value] = []
    while try cursor.step() {
      var row = Row(cursor)
      rows.append(try decode(&row))
    }
    return rows
  }

  /// The rows of a query before the first one that `isPastEnd` accepts. SQLite does not search for rows after it.
  package func all<Value>(
    _ sql: String, _ values: any Bindable...,
    until isPastEnd: (Value) -> Bool, decode: (inout Row) throws -> Value
  ) throws -> [Value] {
    let cursor = try session.cursor(sql, values)
    defer { cursor.close() }
    var rows: [Value] = []
    while try cursor.step() {
      var row = Row(cursor)
      let value = try decode(&row)
      if isPastEnd(value) { break }
      rows.append(value)
    }
    return rows
  }

  /// Reads a large blob directly into its own memory. With SQLite, this takes half the time of reading it as a column.
  ///
  /// - Throws: an error if the row does not exist or the column holds no bytes.
  package func blob(table: String, column: String, row: Int64) throws -> Bytes {
    try session.blob(table: table, column: column, row: row)
  }

  /// Writes something without a change of the data, so that the commit has something to write to the disk.
  package func rewrite() throws { try session.rewrite() }

  /// Runs `body`. Ends its queries if together they take longer than this duration.
  ///
  /// - Throws: the error of `body`; ``DatabaseError/Code/interrupted`` if a query was ended.
  package func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value {
    try session.within(duration, body)
  }

  /// The engine's plan for a query, one line per step. For tests that verify the use of an index.
  package func plan(of sql: String, _ values: any Bindable...) throws -> [String] {
    try session.plan(of: sql, values)
  }
}
