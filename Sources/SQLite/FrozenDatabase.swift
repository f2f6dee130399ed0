import CSQLite

/// A database file that stays as it is while this lives: all that was committed is in the file itself, guests wait, and this process has
/// no connection to it. So it can be copied, or take another name, as files do.
///
/// There is one owner at a time, which a lock beside the file has to see to.
package final class HeldDatabase: Sendable {
  /// How many migrations the file has; 0 where it is new and empty, or not there.
  package let version: Int
  /// How many there are.
  package let newest: Int
  private let gate: CheckpointGate

  /// Waits for guests that write, and copies the log into the file where that is wanted.
  ///
  /// - Parameter isWanted: by its version, whether the file is to be whole without its log. That may take its time.
  /// - Throws: ``MigrationError/unusable(_:)`` with `.busy` where somebody reads what was before, and goes on for seconds.
  package init(
    path: String, migrator: Migrator,
    wholeIf isWanted: (_ version: Int, _ newest: Int) -> Bool = { _, _ in true }
  ) throws(MigrationError) {
    newest = migrator.newest
    gate = try unusable { () throws(SQLiteError) in
      let gate = try CheckpointGate(besides: path)
      gate.hold()
      return gate
    }
    let connection = try unusable { () throws(SQLiteError) in
      try Connection(path: path, .readWrite, busyMilliseconds: 5000)
    }
    sqlite3_db_config_switch(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    version = try migrator.version(of: connection)
    guard isWanted(version, newest) else { return }
    try unusable { () throws(SQLiteError) in try connection.checkpointFully() }
  }
}

extension Connection {
  /// Copies all of the log into the file, and syncs that.
  fileprivate func checkpointFully() throws(SQLiteError) {
    try execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
    var (length, copied): (Int32, Int32) = (0, 0)
    SQLiteError.forgetSystemError()
    let result = sqlite3_wal_checkpoint_v2(
      handle, "main", SQLITE_CHECKPOINT_FULL, &length, &copied)
    guard result == SQLITE_OK else { throw SQLiteError(result, in: handle) }
    guard copied == length else {
      throw SQLiteError(.busy, "Somebody still reads what the log changes.")
    }
  }
}

extension Database {
  /// How many migrations a file has that nobody has open; 0 for a new and empty one. It leaves nothing beside the file.
  ///
  /// - Throws: also ``MigrationError/newer(found:known:)`` and ``MigrationError/changed(name:)``.
  package static func version(
    ofFileAt path: String, migrator: Migrator
  ) throws(MigrationError) -> Int {
    // Whoever may only read leaves a log and its index beside the file.
    let connection = try unusable { () throws(SQLiteError) in
      try Connection(path: path, .readWrite, busyMilliseconds: 0)
    }
    return try migrator.version(of: connection)
  }

  /// Migrates a file that nobody has open. It leaves nothing beside the file.
  package static func migrate(
    fileAt path: String, migrator: Migrator
  ) throws(MigrationError) {
    let connection = try unusable { () throws(SQLiteError) in
      let connection = try Connection(path: path, .readWrite, busyMilliseconds: 0)
      try connection.execute(
        """
        PRAGMA journal_mode = DELETE;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY;
        """)
      return connection
    }
    try migrator.migrate(connection)
  }
}
