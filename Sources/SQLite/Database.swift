import CSQLite

/// An open, migrated database file: one writer, many readers.
///
/// Only one process at a time may own it; a lock beside the file has to see to that. Others may be guests.
package struct Database: Sendable {
  package let writer: Writer
  package let readers: Readers

  /// The version of SQLite that is loaded, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Opens the file, makes it where there is none, and migrates it.
  ///
  /// Files of other applications, of newer versions and damaged ones are refused before anything is written to them.
  ///
  /// - Parameters:
  ///   - readers: the most reads at once.
  ///   - commits: how much may share a commit.
  ///   - synchronous: whether a commit waits for the disk.
  ///   - report: told of every checkpoint that fails, and of readers that last.
  package init(
    path: String, migrator: Migrator, readers: Int = 16,
    commits: CommitLimits = .standard, synchronous: Synchronous = .full,
    report: @escaping @Sendable (CheckpointEvent) -> Void = { _ in }
  ) throws(MigrationError) {
    writer = try Writer(
      path: path, migrator: migrator, limits: commits, synchronous: synchronous, report: report)
    self.readers = Readers(path: path, limit: readers)
  }

  /// Opens a file that another process may own, to write a little beside it. It has to be as `migrator` makes it.
  ///
  /// Nothing here is told to the owner: what it keeps in memory must not depend on what is written.
  package init(guestAt path: String, migrator: Migrator) throws(MigrationError) {
    writer = try Writer(path: path, as: .secondary, migrator: migrator, limits: .standard) { _ in }
    readers = Readers(path: path, limit: 1)
  }

  /// Closes all connections, once the writes that were asked for are done.
  ///
  /// The readers go first, so that the writer is the last and leaves no WAL behind. No read may be running.
  package func close() async {
    readers.close()
    await writer.close()
  }
}
