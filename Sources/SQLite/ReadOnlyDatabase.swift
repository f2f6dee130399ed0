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

  /// Opens the file whatever its schema is, if it says that it is this application's: for what every version writes in the same way.
  ///
  /// - Parameter readers: the most reads at once.
  package init(path: String, applicationID: Int32, readers: Int) throws(MigrationError) {
    let found: Int
    do throws(SQLiteError) {
      found = try Readers.open(path).integer("PRAGMA application_id")
    } catch { throw .unusable(error) }
    guard found == Int(applicationID) else { throw .foreign }
    self.readers = Readers(path: path, limit: readers)
  }

  /// Closes the connections. No read may be running.
  package func close() { readers.close() }
}
