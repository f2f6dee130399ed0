import CSQLite
import SQL

/// A database file that does not change during the lifetime of this object. Secondary writers wait, and this
/// process has no connection to the file. If `isWanted` returned `true`, the file itself contains all
/// commits, so it can be copied or renamed.
///
/// Only one primary may exist at a time; the caller must ensure this with a lock next to the file.
package final class FrozenDatabase: Sendable {
  /// The number of migrations of the file; 0 if it is new and empty, or does not exist.
  package let version: Int
  /// The number of known migrations.
  package let newest: Int
  private let gate: CheckpointGate

  /// Waits for secondary writers, and copies the WAL into the file if `isWanted` returns `true`.
  ///
  /// - Parameter isWanted: decides from the file's version whether the file must be complete
  ///   without its WAL. That may take long.
  /// - Throws: ``MigrationError/unusable(_:)`` with `.busy` if a reader uses an older state for several seconds.
  package init(
    path: String, migrator: Migrator,
    wholeIf isWanted: (_ version: Int, _ newest: Int) -> Bool = { _, _ in true }
  ) throws(MigrationError) {
    newest = migrator.newest
    gate = try unusable {
      let gate = try CheckpointGate(besides: path)
      gate.hold()
      return gate
    }
    let connection = try unusable {
      try Connection(path: path, .readWrite, busyMilliseconds: 5000)
    }
    sqlite3_db_config_switch(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    version = try migrator.version(of: connection)
    guard isWanted(version, newest) else { return }
    try unusable { try connection.checkpointFully() }
  }
}

extension Connection {
  /// Copies the whole WAL into the file, and syncs the file.
  fileprivate func checkpointFully() throws(DatabaseError) {
    try execute("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
    var (length, copied): (Int32, Int32) = (0, 0)
    DatabaseError.forgetSystemError()
    let result = sqlite3_wal_checkpoint_v2(
      handle, "main", SQLITE_CHECKPOINT_FULL, &length, &copied)
    guard result == SQLITE_OK else { throw DatabaseError(result, in: handle) }
    guard copied == length else {
      throw DatabaseError(.busy, "Another connection still reads the write-ahead log.")
    }
  }
}

extension SQLiteDatabase {
  /// The number of migrations of a file that no process has open; 0 for a new and empty file. It
  /// leaves no other files next to the file.
  ///
  /// - Throws: also ``MigrationError/newer(found:known:)`` and ``MigrationError/changed(name:)``.
  package static func version(
    ofFileAt path: String, migrator: Migrator
  ) throws(MigrationError) -> Int {
    // A read-only connection would leave a WAL and its index next to the file.
    let connection = try unusable {
      try Connection(path: path, .readWrite, busyMilliseconds: 0)
    }
    return try migrator.version(of: connection)
  }

  /// The `application_id` of a file that no process has open; `nil` if it is new and empty. It leaves no other files
  /// next to the file.
  package static func application(ofFileAt path: String) throws(MigrationError) -> Int? {
    try unusable {
      let connection = try Connection(path: path, .readWrite, busyMilliseconds: 0)
      let application = try connection.integer("PRAGMA application_id")
      let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return application == 0 && tables == 0 ? nil : application
    }
  }

  /// Migrates a file that no process has open. It leaves no other files next to the file.
  package static func migrate(
    fileAt path: String, migrator: Migrator
  ) throws(MigrationError) {
    let connection = try unusable {
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
