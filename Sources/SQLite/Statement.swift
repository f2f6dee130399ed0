import Bytes
import CSQLite

/// A prepared statement. It is finalized when the last reference to it goes.
///
/// Used by the one thread that uses its connection, which outlives it.
final class Statement {
  let sql: String
  private let handle: OpaquePointer
  private let database: OpaquePointer
  /// What keeps the memory of bound blobs alive until ``reset()``.
  private var boundBytes: [UnsafeMutableRawPointer] = []

  /// - Throws: where `sql` is not exactly one statement that fits the schema.
  init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
    var text = sql
    var handle: OpaquePointer?
    SQLiteError.forgetSystemError()
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
    guard result == SQLITE_OK else { throw SQLiteError(result, in: database) }
    guard let handle, isWhole else {
      sqlite3_finalize(handle)
      throw SQLiteError(.misuse, "Not exactly one statement: \(sql)")
    }
    (self.sql, self.handle, self.database) = (sql, handle, database)
  }

  deinit {
    sqlite3_finalize(handle)
    boundBytes.forEach(Bytes.release)
  }

  /// Gives every parameter its value.
  ///
  /// Text is copied. The memory of bytes is read in place by ``step()`` and is kept until ``reset()``.
  func bind(_ values: [any Bindable]) throws(SQLiteError) {
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      throw SQLiteError(.range, "\(values.count) values for the parameters of: \(sql)")
    }
    for (position, value) in zip(1..., values) {
      let result = bind(value.sqlValue, at: Int32(position))
      guard result == SQLITE_OK else { throw SQLiteError(result, in: database) }
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

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(SQLiteError) -> Bool {
    SQLiteError.forgetSystemError()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw SQLiteError(result, in: database)
    }
  }

  /// The row that the last ``step()`` came to.
  func withRow<Value>(
    _ body: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try body(Row(handle))
  }

  /// Makes the statement ready for the next use and lets go of what was bound.
  func reset() {
    // Its result repeats the failure that step() has thrown already.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    boundBytes.forEach(Bytes.release)
    boundBytes.removeAll(keepingCapacity: true)
  }
}

/// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite makes its own copy at once.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// A constant of static lifetime; nothing writes through it.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
  let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  text.initialize(to: 0)
  return UnsafePointer(text)
}()
