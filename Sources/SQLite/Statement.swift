import Bytes
import CSQLite
import SQL

/// A prepared statement. It is finalized when its last reference is released.
///
/// Used only by the thread that uses its connection. The connection outlives it.
final class Statement {
  let sql: String
  private let handle: OpaquePointer
  // Borrowed: the connection finalizes its statements before it closes.
  private unowned(unsafe) let connection: Connection
  private var database: OpaquePointer { connection.handle }
  /// The references that keep the memory of bound blobs alive until ``reset()``.
  private var boundBytes: [UnsafeMutableRawPointer] = []

  /// - Throws: an error if `sql` is not exactly one statement that fits the schema.
  init(_ sql: String, in connection: Connection) throws(DatabaseError) {
    var text = sql
    let database = connection.handle
    var handle: OpaquePointer?
    DatabaseError.forgetSystemError()
    let (result, isWhole) = text.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v3(
          database, text.baseAddress, Int32(clamping: text.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        let end = text.baseAddress.map { $0 + text.count }
        return (result, tail == end)
      }
    }
    guard result == SQLITE_OK else { throw DatabaseError(result, in: database) }
    guard let handle, isWhole else {
      sqlite3_finalize(handle)
      throw DatabaseError(.misuse, "Expected exactly one statement: \(sql)")
    }
    (self.sql, self.handle, self.connection) = (sql, handle, connection)
  }

  deinit {
    sqlite3_finalize(handle)
    boundBytes.forEach(Bytes.release)
  }

  /// Binds a value to every parameter.
  ///
  /// Text is copied. ``step()`` reads the memory of bytes in place, so the statement retains it until ``reset()``.
  func bind(_ values: [any Bindable]) throws(DatabaseError) {
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      throw DatabaseError(.range, "\(values.count) values do not match the parameters of: \(sql)")
    }
    for (position, value) in zip(1..., values) {
      let result = bind(value.sqlValue, at: Int32(position))
      guard result == SQLITE_OK else { throw DatabaseError(result, in: database) }
    }
  }

  private func bind(_ value: SQLValue, at position: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, position)
    case .integer(let number): return sqlite3_bind_int64(handle, position, number)
    case .real(let number): return sqlite3_bind_double(handle, position, number)
    case .text(var text):
      return text.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) { text in
          // A nil address would bind NULL.
          sqlite3_bind_text64(
            handle, position, text.baseAddress ?? emptyText, UInt64(text.count), copied,
            UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      // A nil address would bind NULL.
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, position, 0) }
      let (start, owner) = bytes.retained()
      boundBytes.append(owner)
      return sqlite3_bind_blob64(handle, position, start, UInt64(bytes.count), nil)
    }
  }

  func step() throws(DatabaseError) -> Bool {
    DatabaseError.forgetSystemError()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw DatabaseError(result, in: database)
    }
  }

  /// Prepares the statement for the next use, and releases the bound values.
  func reset() {
    // The result repeats an error that step() has already thrown.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    boundBytes.forEach(Bytes.release)
    boundBytes.removeAll(keepingCapacity: true)
  }
}

extension Statement: Cursor {
  var changes: Int { Int(sqlite3_changes64(database)) }

  var columnCount: Int { Int(sqlite3_data_count(handle)) }

  func content(of column: Int) -> ColumnContent {
    let column = Int32(column)
    return switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(memory(of: column))
    case SQLITE_BLOB: .blob(memory(of: column))
    default: .null
    }
  }

  private func memory(of column: Int32) -> UnsafeRawBufferPointer {
    // The call for the pointer must precede the call for the length (https://sqlite.org/c3ref/column_blob.html).
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  func name(of column: Int) -> String {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? "\(column)"
  }

  func close() { connection.keep(self) }
}

/// SQLITE_TRANSIENT, a cast that Swift does not import. SQLite copies the value at once.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// A constant with static lifetime; no code writes through it.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
  let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  text.initialize(to: 0)
  return UnsafePointer(text)
}()
