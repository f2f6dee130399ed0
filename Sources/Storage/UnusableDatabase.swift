package import Files
package import Memes
import SQL
package import SQLite

/// The reason why the database of a data folder cannot be used, as a message for the operator.
package struct UnusableDatabase: Error, Equatable {
  /// The path of the database file.
  package let path: String
  package let reason: Reason

  package enum Reason: Error, Equatable {
    case migration(MigrationError)
    /// No copy of the database could be made before the migrations.
    case noRestorePoint(FileError)
    /// An interrupted restore cannot be finished.
    case pendingRestore(FileError)
    /// The file cannot be locked.
    case noLock(FileError)
    /// Another process uses the file.
    case inUse
  }

  init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

  init(path: String, reason: MigrationError) { self.init(path: path, reason: .migration(reason)) }
}

extension MigrationError {
  /// Whether the content of the file is damaged. The alternatives are a file of another application or for another
  /// version.
  package var isDamage: Bool {
    switch self {
    case .unreadable: true
    case .unusable(let error), .failed(_, let error):
      [.notADatabase, .corrupt].contains(error.code)
    case .foreign, .unfinished, .newer, .outdated, .changed: false
    }
  }
}

extension UnusableDatabase {
  /// The finding of a check; `nil` if the file has no fault, but this program cannot check it.
  package var finding: Finding? {
    guard case .migration(let error) = reason else { return nil }
    let kind: Finding.Kind
    switch error {
    case .foreign, .changed: kind = .unknownSchema
    case _ where error.isDamage: kind = .damagedFile
    default: return nil
    }
    return Finding(kind, "file=mememe.db", problem)
  }
}

extension UnusableDatabase: CustomStringConvertible {
  package var description: String { "\(path): \(problem)" }

  private var problem: String {
    switch reason {
    case .migration(let error): error.problem
    case .noRestorePoint(let failure) where failure.isDiskFull:
      """
      not enough disk space for a restore point, a copy of the database before the upgrade (\(failure)). \
      Nothing was changed. Free some space; or, if you have a backup, run mememe migrate --no-restore-point.
      """
    case .pendingRestore(let failure):
      "cannot finish the interrupted restore of the data folder (\(failure)). The next start will try again."
    case .noLock(let failure): "the database cannot be locked (\(failure))."
    case .inUse: "\(DataFolder.InUse.database)"
    case .noRestorePoint(let failure):
      """
      cannot create a restore point, a copy of the database before the upgrade (\(failure)). \
      Nothing was changed. If you have a backup, you can skip it: mememe migrate --no-restore-point.
      """
    }
  }
}

extension MigrationError {
  fileprivate var problem: String {
    switch self {
    case .unreadable(let error): damage(error)
    case .unusable(let error) where isDamage: damage(error)
    case .failed(_, let error) where isDamage: damage(error)
    case .unusable(let error): "cannot use the database (\(error)). Nothing was changed."
    case .failed(let name, let error):
      "migration \(name) failed and was rolled back (\(error))."
    case .foreign:
      "the database belongs to another program. Nothing was changed. Choose another data folder."
    case .unfinished:
      "the database is an unfinished move. Run the same mememe move again, or choose another data folder."
    case .newer(let found, let known):
      """
      the database is at version \(found), but this program only supports \(known): a newer MemeMe upgraded it. \
      Nothing was changed. Run the newer MemeMe, or restore an older backup.
      """
    case .outdated(let found, let known):
      """
      the database is at version \(found), but this program requires version \(known). \
      Run mememe migrate or mememe serve first.
      """
    case .changed(let name):
      """
      the database has a different migration \(name): another build of MemeMe created it. \
      Nothing was changed. Run that build.
      """
    }
  }

  private func damage(_ error: DatabaseError) -> String {
    """
    the database is corrupt or not a database (\(error)). \
    Nothing was changed. Restore the data folder from a backup, and keep this file until then.
    """
  }
}
