/// A database file that no process has open.
package enum ClosedDatabase {
  /// Opens the file, which has to be there, runs `body` in a transaction, and closes it. What `body` wrote is on the disk then, and
  /// nothing is beside the file, whatever log it was written with: it is the whole database.
  ///
  /// - Throws: what `body` throws, and then nothing of it was done; `.busy` where somebody has it open after all.
  @discardableResult
  package static func edit<Value>(
    _ path: String, _ body: (borrowing Transaction<SQLiteError>) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    let connection = try Connection(path: path, .readWrite, busyMilliseconds: 0)
    let log: String = try connection.withStatement("PRAGMA journal_mode = DELETE", []) {
      statement throws(SQLiteError) in
      guard try statement.step() else { return "" }
      return try statement.withRow { row throws(SQLiteError) in try row[0] }
    }
    guard log == "delete" else { throw SQLiteError(.busy, "Its log is \(log).") }
    try connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
    return try connection.transaction(.immediate, body)
  }
}
