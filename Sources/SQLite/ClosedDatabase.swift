import CSQLite
package import SQL

/// Access to a database file that no process has open.
package enum ClosedDatabase {
  /// Opens an existing file, runs `body` in a transaction, and closes the file.
  ///
  /// When this returns, the changes are on disk. The file is the whole database, with no other files next
  /// to it, whatever its journal mode was.
  ///
  /// - Throws: the error of `body`, after a rollback; `.busy` if another process has the file open.
  @discardableResult
  package static func edit<Value>(
    _ path: String, _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    try open(path).transaction(.immediate, body)
  }

  /// Does the same, but triggers do not run, for rows that already contain what triggers would write.
  package static func fill<Value>(
    _ path: String, _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    let connection = try open(path)
    sqlite3_db_config_switch(connection.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    // Indexes of random keys change in many places.
    try connection.execute("PRAGMA cache_size = -\(fillingKilobytes)")
    return try connection.transaction(.immediate, body)
  }

  private static let fillingKilobytes = 65_536

  private static func open(_ path: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(path: path, .readWrite, busyMilliseconds: 0)
    // Exclusive locking needs no shared memory, which network file systems do not support.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    let log = try connection.text("PRAGMA journal_mode = DELETE")
    guard log == "delete" else {
      throw DatabaseError(.busy, "Cannot change the journal mode, which is \(log).")
    }
    try connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
    return connection
  }
}
