package import Memes
package import SQLite

/// The reason why the database of a data folder cannot be used, as a message for the operator.
package struct UnusableDatabase: Error, Equatable {
  /// The path of the database file.
  package let path: String
  package let reason: Reason

  package enum Reason: Error, Equatable {
    case migration(MigrationError)
    /// No copy of the database could be made before the migrations.
    case noRestorePoint(FileFailure)
    /// An interrupted restore cannot be finished.
    case pendingRestore(FileFailure)
    /// The file cannot be locked.
    case locked(DataFolder.Failure)
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
    case .foreign, .newer, .outdated, .changed: false
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
      there is no room for a restore point, a copy of the database as it is before the upgrade (\(failure)). \
      Nothing was changed. Make room; or, where there is a backup elsewhere, run mememe migrate --no-restore-point.
      """
    case .pendingRestore(let failure):
      "a restore of the data folder cannot be brought to its end (\(failure)). The next start tries again."
    case .locked(let failure): "\(failure)"
    case .noRestorePoint(let failure):
      """
      no restore point can be made, a copy of the database as it is before the upgrade (\(failure)). \
      Nothing was changed. Where there is a backup elsewhere, mememe migrate --no-restore-point does without.
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
    case .unusable(let error): "the database cannot be used (\(error)). Nothing was changed."
    case .failed(let name, let error):
      "migration \(name) failed (\(error)). The database is as it was before this migration."
    case .foreign:
      "this is the database of another program. Nothing was changed. Choose another data folder."
    case .newer(let found, let known):
      """
      the database is at version \(found), and this program knows only \(known): a newer MemeMe made it. \
      Nothing was changed. Run that one, or restore a backup from before.
      """
    case .outdated(let found, let known):
      """
      the database is at version \(found), and this program works with version \(known). \
      Run mememe migrate, or mememe serve, first.
      """
    case .changed(let name):
      """
      the database was made with another text of migration \(name): it is of another build of MemeMe. \
      Nothing was changed. Run that build.
      """
    }
  }

  private func damage(_ error: SQLiteError) -> String {
    """
    the database is damaged, or this is no database (\(error)). \
    Nothing was changed. Restore the data folder from a backup, and keep this file until that is done.
    """
  }
}
