package import Bytes
import Foundation

/// The current row of a statement. It is lent to the closure that decodes it.
///
/// A decoder reads the columns in the order of the SELECT list. Swift evaluates arguments from left to right.
///
///     try db.all("SELECT name, size FROM files") { row in
///       File(name: try row.next(), size: try row.next())
///     }
package struct Row: ~Copyable {
  private let cursor: any Cursor
  private let count: Int
  /// The column that ``next()`` reads.
  private var position = 0

  package init(_ cursor: any Cursor) { (self.cursor, count) = (cursor, cursor.columnCount) }

  /// The value of a column, counted from 0. The value is a copy. Does not affect ``next()``.
  ///
  /// - Throws: `.range` if the column does not exist, `.mismatch` if it holds another type. Values are not converted.
  package subscript<Value: ColumnValue>(column: Int) -> Value {
    get throws(DatabaseError) {
      do throws(ColumnMismatch) { return try Value(content(of: column)) } catch {
        throw failure(error, column)
      }
    }
  }

  /// Reads the next column in the order of the SELECT list. The value is a copy.
  ///
  /// - Throws: `.range` after the last column, `.mismatch` if the column holds another type. Values are not converted.
  package mutating func next<Value: ColumnValue>() throws(DatabaseError) -> Value {
    // Moves on even if the column holds another type.
    defer { position += 1 }
    return try self[position]
  }

  /// Lends the bytes of the next column to `body`, for a value that is made from them without another copy.
  ///
  /// - Throws: the same errors as ``next()``.
  package mutating func nextBytes<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(DatabaseError) -> Value {
    defer { position += 1 }
    do throws(ColumnMismatch) { return body(try content(of: position).bytes) } catch {
      throw failure(error, position)
    }
  }

  /// Whether the next column holds NULL. Does not read the column.
  ///
  /// - Throws: `.range` after the last column.
  package var isNextNull: Bool {
    get throws(DatabaseError) {
      do throws(ColumnMismatch) { return try content(of: position).isNull } catch {
        throw failure(error, position)
      }
    }
  }

  /// Skips columns, such as those of an outer join without a match.
  ///
  /// - Throws: `.range` if fewer columns are left.
  package mutating func skip(_ count: Int) throws(DatabaseError) {
    guard count <= self.count - position else {
      throw DatabaseError(.range, "There are no \(count) columns from column \(position) on.")
    }
    position += count
  }

  private func content(of column: Int) throws(ColumnMismatch) -> ColumnContent {
    guard (0..<count).contains(column) else { throw .noSuchColumn }
    return cursor.content(of: column)
  }

  private func failure(_ mismatch: ColumnMismatch, _ column: Int) -> DatabaseError {
    switch mismatch {
    case .noSuchColumn: DatabaseError(.range, "No column \(column) in the result.")
    case .expected(let kind):
      DatabaseError(.mismatch, "Column \(cursor.name(of: column)) is not \(kind).")
    }
  }
}

/// Why a column cannot be decoded.
package enum ColumnMismatch: Error {
  case noSuchColumn
  /// The column does not hold this kind of value.
  case expected(StaticString)
}

extension ColumnContent {
  fileprivate var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  fileprivate var bytes: UnsafeRawBufferPointer {
    get throws(ColumnMismatch) {
      guard case .blob(let memory) = self else { throw .expected("bytes") }
      return memory
    }
  }
}

/// A type that a column can be decoded as.
package protocol ColumnValue {
  init(_ content: ColumnContent) throws(ColumnMismatch)
}

extension Int64: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    guard case .integer(let number) = content else { throw .expected("an integer") }
    self = number
  }
}

extension Int: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    self = Int(try Int64(content))
  }
}

extension Bool: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    switch try Int64(content) {
    case 0: self = false
    case 1: self = true
    default: throw .expected("0 or 1")
    }
  }
}

extension Double: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    guard case .real(let number) = content else { throw .expected("a real number") }
    self = number
  }
}

extension String: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    guard case .text(let memory) = content else { throw .expected("text") }
    // Decoding repairs invalid UTF-8, so the result then differs. `String(validating:as:)` takes several times as long.
    var text = String(decoding: memory, as: UTF8.self)
    guard text.withUTF8({ Self.isSame(UnsafeRawBufferPointer($0), memory) }) else {
      throw .expected("UTF-8")
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
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    self.init(copying: try content.bytes)
  }
}

extension [UInt8]: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    self.init(try content.bytes)
  }
}

extension SQLValue: ColumnValue {
  /// Any kind of value, for a row whose columns the program does not know.
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    self =
      switch content {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text: .text(try String(content))
      case .blob: .blob(try Bytes(content))
      }
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package init(_ content: ColumnContent) throws(ColumnMismatch) {
    self = content.isNull ? nil : try Wrapped(content)
  }
}
