import Bytes
import CSQLite
import SQL

extension Connection: DatabaseSession {
  var dialect: Dialect { .sqlite }

  func cursor(_ sql: String, _ values: [any Bindable]) throws -> any Cursor {
    try statement(sql, values)
  }

  func post(_ sql: String, _ values: [any Bindable]) throws {
    let statement = try statement(sql, values)
    defer { statement.close() }
    while try statement.step() {}
  }

  func blob(table: String, column: String, row: Int64) throws -> Bytes {
    var blob: OpaquePointer?
    DatabaseError.forgetSystemError()
    let opened = sqlite3_blob_open(handle, "main", table, column, row, 0, &blob)
    guard opened == SQLITE_OK, let blob else { throw DatabaseError(opened, in: handle) }
    defer { sqlite3_blob_close(blob) }
    // Reading it as a column would copy it twice.
    let bytes = try Bytes(count: Int(sqlite3_blob_bytes(blob))) { memory throws(DatabaseError) in
      let read = sqlite3_blob_read(blob, memory.baseAddress, Int32(memory.count), 0)
      guard read == SQLITE_OK else { throw DatabaseError(read, in: handle) }
    }
    guard let bytes else { throw DatabaseError(.noMemory, "Not enough memory for a blob.") }
    return bytes
  }

  func rewrite() throws {
    // SQLite itself checks this for every transaction, but not with a WAL.
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw DatabaseError(
        .cannotOpen, "The database file was removed, moved or replaced while it is in use.")
    }
    let version = try integer("PRAGMA user_version")
    try execute("PRAGMA user_version = \(version)")
  }

  /// SQLite checks the time between steps and at pages of indexes, including full-text indexes.
  /// It is a few milliseconds late at most.
  func within<Value>(_ duration: Duration, _ body: () throws -> Value) throws -> Value {
    let deadline = Deadline(end: .now + duration)
    sqlite3_progress_handler(
      handle, Deadline.steps,
      { deadline in
        guard let deadline else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(deadline).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    // SQLite calls the handler on this thread, within `body`.
    defer {
      sqlite3_progress_handler(handle, 0, nil, nil)
      withExtendedLifetime(deadline) {}
    }
    return try body()
  }

  func plan(of sql: String, _ values: [any Bindable]) throws -> [String] {
    let statement = try statement("EXPLAIN QUERY PLAN " + sql, values)
    defer { statement.close() }
    var lines: [String] = []
    while try statement.step() { lines.append(try Row(statement)[3]) }
    return lines
  }
}

private final class Deadline {
  /// The number of virtual machine instructions between two time checks. FTS5 executes a few for each
  /// page of its index, and none in between.
  static let steps: Int32 = 100

  private let end: ContinuousClock.Instant

  init(end: ContinuousClock.Instant) { self.end = end }

  var isOver: Bool { .now >= end }
}
