package import SQLite

/// The database of a MemeMe server.
package enum MemeDatabase {
  /// Marks a file as ours: "MeMe" in ASCII.
  package static let applicationID: Int32 = 0x4D65_4D65

  /// Opens the database in the folder, makes it where there is none, and migrates it.
  ///
  /// - Parameters:
  ///   - migrations: all of them, oldest first: the files of `migrations/`.
  ///   - report: told of every checkpoint that fails.
  package static func open(
    in folder: DataFolder, migrations: [Migration],
    report: @escaping @Sendable (SQLiteError) -> Void = { _ in }
  ) throws(UnusableDatabase) -> Database {
    do throws(MigrationError) {
      return try Database(path: folder.database, migrator: migrator(migrations), report: report)
    } catch { throw UnusableDatabase(path: folder.database, reason: error) }
  }

  /// Opens the database in the folder of this path to look at it, whether a server uses it or not.
  ///
  /// - Parameter readers: the most reads at once.
  package static func openForReading(
    at folder: String, migrations: [Migration], readers: Int
  ) throws(UnusableDatabase) -> ReadOnlyDatabase {
    try openForReading(
      file: DataFolder.database(in: folder), migrations: migrations, readers: readers)
  }

  /// Opens the database in this file to look at it.
  ///
  /// - Parameter readers: the most reads at once.
  package static func openForReading(
    file path: String, migrations: [Migration], readers: Int
  ) throws(UnusableDatabase) -> ReadOnlyDatabase {
    do throws(MigrationError) {
      return try ReadOnlyDatabase(path: path, migrator: migrator(migrations), readers: readers)
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  /// Opens the database in the folder of this path to write a little, whether a server uses it or not.
  package static func openAsGuest(
    at folder: String, migrations: [Migration]
  ) throws(UnusableDatabase) -> Database {
    let path = DataFolder.database(in: folder)
    do throws(MigrationError) {
      return try Database(guestAt: path, migrator: migrator(migrations))
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  private static func migrator(_ migrations: [Migration]) -> Migrator {
    Migrator(applicationID: applicationID, migrations: migrations)
  }
}
