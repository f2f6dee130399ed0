package import Files
import SQL
package import SQLite

/// The reason why a folder was not restored. The folder is unchanged.
package enum NotRestored: Error {
  case file(FileError)
  /// The file is not a database that this program can use.
  case unusable(String, MigrationError)
  /// The verification of the file reported this number of findings.
  case damaged(String, Int)
}

extension NotRestored: CustomStringConvertible {
  package var description: String { "\(problem) Nothing was changed." }

  private var problem: String {
    switch self {
    case .file(let failure) where failure.isDiskFull:
      "not enough disk space to copy the file to the data folder (\(failure))."
    case .file(let failure): "cannot restore the file (\(failure))."
    case .unusable(let file, .foreign): "\(file) is the database of another program."
    case .unusable(let file, .unfinished): "\(file) is an unfinished move."
    case .unusable(let file, .newer(let found, let known)):
      """
      \(file) is at version \(found), but this program only supports \(known). Restore it with a newer MemeMe.
      """
    case .unusable(let file, .changed(let name)):
      "\(file) has a different migration \(name): another build of MemeMe created it."
    case .unusable(let file, .unreadable(let error)):
      "\(file) is corrupt or not a database (\(error))."
    case .unusable(let file, .failed(let name, let error)):
      "\(file): migration \(name) failed (\(error))."
    case .unusable(let file, .unusable(let error)): "cannot use \(file) (\(error))."
    case .unusable(let file, .outdated(let found, _)): "\(file) is empty (version \(found))."
    case .damaged(let file, let count):
      """
      \(file) failed verification with \(count) \(count == 1 ? "finding" : "findings"). Use another backup, or restore \
      this one with --damaged and then run mememe check --repair.
      """
    }
  }
}
