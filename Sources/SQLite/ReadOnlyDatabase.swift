package import SQL

/// A database file that is only read. Another process may write it at the same time.
///
/// After a crash, opening the file replays its WAL in memory; the file does not change. SQLite may leave an empty
/// `-wal` and a `-shm` file next to it, which the next writer removes.
package struct ReadOnlyDatabase: Sendable {
  package let readers: SQLiteReaders

  /// Opens the file if it is readable and its schema is the one that `migrator` creates.
  ///
  /// - Parameter readers: the maximum number of concurrent reads.
  package init(
    path: String, migrator: Migrator, readers: Int, failure: @escaping FailureMap = { $0 }
  ) throws(MigrationError) {
    let connection: Connection
    do throws(DatabaseError) { connection = try SQLiteReaders.open(path) } catch {
      throw .unusable(error)
    }
    try migrator.verify(connection)
    self.readers = SQLiteReaders(path: path, limit: readers, failure: failure)
  }

  /// Opens the file with any schema, if it is marked as this application's. Use it for data that
  /// every version writes in the same way.
  ///
  /// - Parameter readers: the maximum number of concurrent reads.
  package init(
    path: String, applicationID: Int32, readers: Int, failure: @escaping FailureMap = { $0 }
  ) throws(MigrationError) {
    let found: Int
    do throws(DatabaseError) {
      found = try SQLiteReaders.open(path).integer("PRAGMA application_id")
    } catch { throw .unusable(error) }
    guard found == Int(applicationID) else { throw .foreign }
    self.readers = SQLiteReaders(path: path, limit: readers, failure: failure)
  }

  /// Closes the connections. No read may be running.
  package func close() { readers.close() }
}
