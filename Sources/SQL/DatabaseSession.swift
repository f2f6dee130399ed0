package import Bytes

/// A connection of a database engine, used by one thread at a time. A ``Transaction`` is how other rooms use it.
package protocol DatabaseSession: AnyObject {
  var dialect: Dialect { get }

  /// Prepares a statement, or takes a prepared one, and binds a value to each parameter.
  ///
  /// - Throws: an error if `sql` is not exactly one statement that fits the schema and the values.
  func cursor(_ sql: String, _ values: [any Bindable]) throws -> any Cursor

  /// Runs a statement whose result nobody needs. An engine behind a network may send it with the next one, which then
  /// throws its error.
  func post(_ sql: String, _ values: [any Bindable]) throws

  /// Reads a large value directly into its own memory.
  ///
  /// - Throws: an error if the row does not exist or the column holds no bytes.
  func blob(table: String, column: String, row: Int64) throws -> Bytes

  /// Writes something without a change of the data, so that the commit has something to write to the disk.
  ///
  /// - Throws: also if the path of the database no longer leads to its file: the next start would not find the writes.
  func rewrite() throws

  /// Runs `body`. Ends its queries if together they take longer than this duration.
  ///
  /// - Throws: the error of `body`; ``DatabaseError/Code/interrupted`` if a query was ended.
  func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value

  /// The engine's plan for a query, one line per step.
  func plan(of sql: String, _ values: [any Bindable]) throws -> [String]
}

/// The running statement of a ``DatabaseSession``, and its current row.
package protocol Cursor: AnyObject {
  /// Advances to the next row. The first call runs the statement.
  ///
  /// - Returns: `false` if there are no more rows.
  func step() throws -> Bool

  /// The number of rows that a completed INSERT, UPDATE or DELETE changed.
  var changes: Int { get }

  /// The number of columns of the current row.
  var columnCount: Int { get }

  /// The content of a column of the current row. Its memory is valid until the next ``step()`` or ``close()``.
  func content(of column: Int) -> ColumnContent

  /// The name of a column, for errors.
  func name(of column: Int) -> String

  /// Ends the use of the statement. Call it exactly once.
  func close()
}

/// The content of a column, by the kinds of values that both engines store.
package enum ColumnContent {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}
