package import SQLite

/// The database of a MemeMe server.
package enum MemeDatabase {
  /// Marks a file as ours: "MeMe" in ASCII.
  package static let applicationID: Int32 = 0x4D65_4D65

  /// Opens the database in the folder, makes it where there is none, and migrates it. A restore that was ended half-way is brought to its
  /// end before.
  ///
  /// - Parameters:
  ///   - migrations: all of them, oldest first: the files of `migrations/`.
  ///   - synchronous: whether a commit waits for the disk.
  ///   - points: where a copy of a database that lacks some of them is kept before the first is run; `nil` for none.
  ///   - report: told of every checkpoint that fails, and of readers that last.
  package static func open(
    in folder: DataFolder, migrations: [Migration], synchronous: Synchronous = .full,
    keepingIn points: RestorePoints?,
    report: @escaping @Sendable (CheckpointEvent) -> Void = { _ in }
  ) throws(UnusableDatabase) -> Database {
    let (path, migrator) = (folder.database, migrator(migrations))
    do throws(FileFailure) { try PendingRestore.finish(in: folder) } catch {
      throw UnusableDatabase(path: path, reason: .pendingRestore(error))
    }
    do throws(DataFolder.Failure) { try folder.lockDatabase() } catch {
      throw UnusableDatabase(path: path, reason: .locked(error))
    }
    do throws(UnusableDatabase.Reason) {
      try points?.keepBeforeUpgrade(of: path, migrator: migrator)
    } catch { throw UnusableDatabase(path: path, reason: error) }
    do throws(MigrationError) {
      let database = try Database(
        path: path, migrator: migrator, synchronous: synchronous, report: report)
      points?.upgradeEnded()
      return database
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  /// Opens it as ``open(in:migrations:keepingIn:report:)`` does, and tells nobody of restore points.
  package static func open(
    in folder: DataFolder, migrations: [Migration], synchronous: Synchronous = .full
  ) throws(UnusableDatabase) -> Database {
    try open(
      in: folder, migrations: migrations, synchronous: synchronous,
      keepingIn: RestorePoints(in: folder))
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

  static func migrator(_ migrations: [Migration]) -> Migrator {
    Migrator(applicationID: applicationID, migrations: migrations)
  }
}
