import CSQLite
package import SQL

/// An open, migrated database file: one writer, many readers.
///
/// Only one process at a time may be the primary; the caller must ensure this with a lock next to the
/// file. Other processes may be secondary.
package struct SQLiteDatabase: Database {
  package let writer: SQLiteWriter
  package let readers: SQLiteReaders

  /// The version of the loaded SQLite library, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Opens the file, creates it if it does not exist, and migrates it.
  ///
  /// Files of other applications, files of newer versions and damaged files are
  /// rejected before anything is written to them.
  ///
  /// - Parameters:
  ///   - readers: the maximum number of concurrent reads.
  ///   - commits: whether commits wait for the disk, and the limits for sharing one.
  ///   - failure: maps an SQLite error to the error that reads and transactions throw.
  ///   - report: called if checkpoints begin to fail, and for readers that block checkpoints.
  package init(
    path: String, migrator: Migrator, readers: Int = 16,
    commits: CommitSettings = .standard, failure: @escaping FailureMap = { $0 },
    report: @escaping @Sendable (CheckpointEvent) -> Void = { _ in }
  ) throws(MigrationError) {
    writer = try SQLiteWriter(
      path: path, migrator: migrator, commits: commits, failure: failure, report: report)
    self.readers = SQLiteReaders(path: path, limit: readers, failure: failure)
  }

  /// Opens a file that may have a primary in another process, for a few writes. Its schema
  /// must be the one that `migrator` creates.
  ///
  /// The primary does not learn about these writes, so it must not cache anything that depends on them.
  package init(
    secondaryAt path: String, migrator: Migrator, failure: @escaping FailureMap = { $0 }
  ) throws(MigrationError) {
    writer = try SQLiteWriter(
      path: path, as: .secondary, migrator: migrator, commits: .standard, failure: failure
    ) { _ in }
    readers = SQLiteReaders(path: path, limit: 1, failure: failure)
  }

  /// Closes all connections, after the writes that were requested before.
  ///
  /// The readers close first, so that the writer is last and leaves no WAL. No read may be running.
  package func close() async {
    readers.close()
    await writer.close()
  }
}
