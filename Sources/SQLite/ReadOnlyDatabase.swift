/// A database file that is looked at and never written: beside a process that writes it, or without one.
///
/// Opening it replays in memory what a crash left in the log; the file stays as it is. SQLite may leave an empty `-wal` and a
/// `-shm` beside it, which the next writer removes.
package struct ReadOnlyDatabase: Sendable {
  package let readers: Readers

  /// Opens the file if it is whole enough to be read and its schema is the one that `migrator` makes.
  ///
  /// - Parameter readers: the most reads at once.
  package init(path: String, migrator: Migrator, readers: Int) throws(MigrationError) {
    let connection: Connection
    do throws(SQLiteError) { connection = try Readers.open(path) } catch { throw .unusable(error) }
    try migrator.verify(connection)
    self.readers = Readers(path: path, limit: readers)
  }

  /// Closes the connections. No read may be running.
  package func close() { readers.close() }
}
