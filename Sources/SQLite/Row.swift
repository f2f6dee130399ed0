package import Bytes
import CSQLite
import Foundation

/// The current row of a statement. It is lent to the closure that decodes it.
///
/// A decoder reads the columns in the order of the SELECT list. Swift evaluates arguments from left to right.
///
///     try db.all("SELECT name, size FROM files") { row in
///       File(name: try row.next(), size: try row.next())
///     }
package struct Row: ~Copyable {
  // Borrowed: the statement outlives the closure that receives the row.
  private let statement: OpaquePointer
  private let columns: Range<Int>
  /// The column that ``next()`` reads.
  private var position = 0

  init(_ statement: OpaquePointer) {
    self.statement = statement
    columns = 0..<Int(sqlite3_data_count(statement))
  }

  /// The value of a column, counted from 0. The value is a copy. Does not affect ``next()``.
  ///
  /// - Throws: `.range` if the column does not exist, `.mismatch` if it holds another type. Values are not converted.
  package subscript<Value: ColumnValue>(column: Int) -> Value {
    get throws(SQLiteError) { try Value(self.column(column)) }
  }

  /// Reads the next column in the order of the SELECT list. The value is a copy.
  ///
  /// - Throws: `.range` after the last column, `.mismatch` if the column holds another type. Values are not converted.
  package mutating func next<Value: ColumnValue>() throws(SQLiteError) -> Value {
    try Value(nextColumn())
  }

  /// Lends the bytes of the next column to `body`, for a value that is made from them without another copy.
  ///
  /// - Throws: the same errors as ``next()``.
  package mutating func nextBytes<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(SQLiteError) -> Value {
    let column = try nextColumn()
    try column.expect(SQLITE_BLOB, "bytes")
    return body(column.memory)
  }

  /// Whether the next column holds NULL. Does not read the column.
  ///
  /// - Throws: `.range` after the last column.
  package var isNextNull: Bool {
    get throws(SQLiteError) { try column(position).isNull }
  }

  /// Skips columns, such as those of an outer join without a match.
  ///
  /// - Throws: `.range` if fewer columns are left.
  package mutating func skip(_ count: Int) throws(SQLiteError) {
    guard count <= columns.upperBound - position else {
      throw SQLiteError(.range, "There are no \(count) columns from column \(position) on.")
    }
    position += count
  }

  /// Moves on even if the column holds another type.
  private mutating func nextColumn() throws(SQLiteError) -> Column {
    let column = try column(position)
    position += 1
    return column
  }

  private func column(_ index: Int) throws(SQLiteError) -> Column {
    guard columns.contains(index) else {
      throw SQLiteError(.range, "No column \(index) in the result.")
    }
    return Column(statement: statement, index: Int32(index))
  }
}

/// One column of a statement's current row.
package struct Column: ~Copyable {
  fileprivate let statement: OpaquePointer
  fileprivate let index: Int32

  package var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  fileprivate func expect(_ type: Int32, _ name: String) throws(SQLiteError) {
    guard sqlite3_column_type(statement, index) == type else { throw mismatch(expected: name) }
  }

  /// The error for a column with unexpected content.
  package func mismatch(expected: String) -> SQLiteError {
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index)"
    return SQLiteError(.mismatch, "Column \(name) is not \(expected).")
  }

  fileprivate var memory: UnsafeRawBufferPointer {
    // The call for the pointer must precede the call for the length (https://sqlite.org/c3ref/column_blob.html).
    let start = sqlite3_column_blob(statement, index)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(statement, index)))
  }
}

/// A type that a column can be decoded as.
package protocol ColumnValue {
  init(_ column: borrowing Column) throws(SQLiteError)
}

extension Int64: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    try column.expect(SQLITE_INTEGER, "an integer")
    self = sqlite3_column_int64(column.statement, column.index)
  }
}

extension Int: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    self = Int(try Int64(column))
  }
}

extension Bool: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    switch try Int64(column) {
    case 0: self = false
    case 1: self = true
    default: throw column.mismatch(expected: "0 or 1")
    }
  }
}

extension Double: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    try column.expect(SQLITE_FLOAT, "a real number")
    self = sqlite3_column_double(column.statement, column.index)
  }
}

extension String: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    try column.expect(SQLITE_TEXT, "text")
    let memory = column.memory
    // Decoding repairs invalid UTF-8, so the result then differs. `String(validating:as:)` takes several times as long.
    var text = String(decoding: memory, as: UTF8.self)
    guard text.withUTF8({ Self.isSame(UnsafeRawBufferPointer($0), memory) }) else {
      throw column.mismatch(expected: "UTF-8")
    }
    self = text
  }

  private static func isSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Bool
  {
    guard left.count == right.count else { return false }
    guard let left = left.baseAddress, let start = right.baseAddress else { return true }
    return memcmp(left, start, right.count) == 0
  }
}

extension Bytes: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    try column.expect(SQLITE_BLOB, "bytes")
    self.init(copying: column.memory)
  }
}

extension [UInt8]: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    try column.expect(SQLITE_BLOB, "bytes")
    self.init(column.memory)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package init(_ column: borrowing Column) throws(SQLiteError) {
    self = column.isNull ? nil : try Wrapped(column)
  }
}
