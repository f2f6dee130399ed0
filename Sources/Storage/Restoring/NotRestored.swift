package import SQLite

/// The reason why a folder was not restored. The folder is unchanged.
package enum NotRestored: Error {
  case file(FileFailure)
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
      "there is no room for a copy of the file in the data folder (\(failure))."
    case .file(let failure): "the file cannot be restored (\(failure))."
    case .unusable(let file, .foreign): "\(file) is the database of another program."
    case .unusable(let file, .newer(let found, let known)):
      """
      \(file) is at version \(found), and this program knows only \(known): a newer MemeMe made it. Restore it with that one.
      """
    case .unusable(let file, .changed(let name)):
      "\(file) was made with another text of migration \(name): it is of another build of MemeMe."
    case .unusable(let file, .unreadable(let error)):
      "\(file) is damaged, or is no database (\(error))."
    case .unusable(let file, .failed(let name, let error)):
      "\(file): migration \(name) failed (\(error))."
    case .unusable(let file, .unusable(let error)): "\(file) cannot be used (\(error))."
    case .unusable(let file, .outdated(let found, _)): "\(file) is empty (version \(found))."
    case .damaged(let file, let count):
      """
      \(file) does not verify: \(count) \(count == 1 ? "finding" : "findings"). Take another backup; \
      --damaged takes this one nevertheless, and mememe check --repair mends what it can.
      """
    }
  }
}
