import Files
import Memes
package import SQL
package import SQLite

/// The database of a MemeMe server.
package enum MemeDatabase {
  /// Identifies the file as a MemeMe database: "MeMe" in ASCII.
  package static let applicationID: Int32 = 0x4D65_4D65
  /// Identifies a database that `mememe move` has not completed: "MeMv" in ASCII. Programs that do not know it take the
  /// file for that of another application.
  static let movingID: Int32 = 0x4D65_4D76

  /// Opens the database in the folder, creates it if it does not exist, and migrates it. First finishes an interrupted
  /// restore.
  ///
  /// - Parameters:
  ///   - migrations: all migrations, oldest first: the files in `migrations/`.
  ///   - synchronous: whether a commit waits for the disk.
  ///   - points: stores a copy of a database that lacks migrations before the first of them runs; `nil` stores no copy.
  ///   - report: called if checkpoints begin to fail, and for readers that block checkpoints.
  package static func open(
    in folder: DataFolder, migrations: [Migration], synchronous: Synchronous = .full,
    keepingIn points: RestorePoints?,
    report: @escaping @Sendable (CheckpointEvent) -> Void = { _ in }
  ) throws(UnusableDatabase) -> SQLiteDatabase {
    let (path, migrator) = (folder.database, migrator(migrations))
    do throws(FileError) { try PendingRestore.finish(in: folder) } catch {
      throw UnusableDatabase(path: path, reason: .pendingRestore(error))
    }
    let isLocked: Bool
    do throws(FileError) { isLocked = try folder.lockDatabase() } catch {
      throw UnusableDatabase(path: path, reason: .noLock(error))
    }
    guard isLocked else { throw UnusableDatabase(path: path, reason: .inUse) }
    do throws(UnusableDatabase.Reason) {
      try points?.keepBeforeUpgrade(of: path, migrator: migrator)
    } catch { throw UnusableDatabase(path: path, reason: error) }
    var commits = CommitSettings.standard
    commits.synchronous = synchronous
    do throws(MigrationError) {
      let database = try SQLiteDatabase(
        path: path, migrator: migrator, commits: commits, failure: { MemeError($0) },
        report: report)
      points?.upgradeEnded()
      return database
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  /// Opens the database like ``open(in:migrations:synchronous:keepingIn:report:)``, without reports about restore
  /// points and checkpoints.
  package static func open(
    in folder: DataFolder, migrations: [Migration], synchronous: Synchronous = .full
  ) throws(UnusableDatabase) -> SQLiteDatabase {
    try open(
      in: folder, migrations: migrations, synchronous: synchronous,
      keepingIn: RestorePoints(in: folder))
  }

  /// Opens the database in the folder at this path for reading. A server may be using it.
  ///
  /// - Parameter readers: the maximum number of concurrent reads.
  package static func openForReading(
    at folder: String, migrations: [Migration], readers: Int
  ) throws(UnusableDatabase) -> ReadOnlyDatabase {
    try openForReading(
      file: DataFolder.database(in: folder), migrations: migrations, readers: readers)
  }

  /// Opens the database in a folder that this process has for itself, to read all of it in one transaction. First
  /// finishes an interrupted restore.
  package static func openForReading(
    in folder: DataFolder, migrations: [Migration]
  ) throws(UnusableDatabase) -> ReadOnlyDatabase {
    do throws(FileError) { try PendingRestore.finish(in: folder) } catch {
      throw UnusableDatabase(path: folder.database, reason: .pendingRestore(error))
    }
    do throws(MigrationError) {
      return try ReadOnlyDatabase(
        path: folder.database, migrator: migrator(migrations), readers: 1)
    } catch { throw UnusableDatabase(path: folder.database, reason: error) }
  }

  /// Opens the database file at this path for reading.
  ///
  /// - Parameter readers: the maximum number of concurrent reads.
  package static func openForReading(
    file path: String, migrations: [Migration], readers: Int
  ) throws(UnusableDatabase) -> ReadOnlyDatabase {
    do throws(MigrationError) {
      return try ReadOnlyDatabase(
        path: path, migrator: migrator(migrations), readers: readers, failure: { MemeError($0) })
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  /// Opens the database in the folder at this path as a secondary writer, for a few writes. A server may be using it.
  package static func openAsGuest(
    at folder: String, migrations: [Migration]
  ) throws(UnusableDatabase) -> SQLiteDatabase {
    let path = DataFolder.database(in: folder)
    do throws(MigrationError) {
      return try SQLiteDatabase(
        secondaryAt: path, migrator: migrator(migrations), failure: { MemeError($0) })
    } catch { throw UnusableDatabase(path: path, reason: error) }
  }

  static func migrator(_ migrations: [Migration]) -> Migrator {
    Migrator(applicationID: applicationID, unfinishedID: movingID, migrations: migrations)
  }
}
