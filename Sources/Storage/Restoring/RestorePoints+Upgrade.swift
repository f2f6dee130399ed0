import Foundation
import SQLite

extension RestorePoints {
  /// Makes one of a database that lacks migrations; of a new and empty one, and of one that is up to date, there is none.
  ///
  /// An upgrade that was ended half-way has one already and goes on: nobody wants to go back to what is there now.
  func keepBeforeUpgrade(
    of path: String, migrator: Migrator
  ) throws(UnusableDatabase.Reason) {
    let held = try reading { () throws(MigrationError) in
      try HeldDatabase(path: path, migrator: migrator) { $0 > 0 && $0 < $1 }
    }
    defer { withExtendedLifetime(held) {} }
    guard held.version > 0, held.version < held.newest else { return upgradeEnded() }
    try writing { () throws(FileFailure) in try makeFolder() }
    guard upgradeUnderWay == nil else { return }

    let point = newPath(for: .migration(held.version + 1))
    let part = point + FileCopy.unfinished
    try writing { () throws(FileFailure) in
      try FileCopy.copy(path, to: part) { tell(.copying(done: $0, all: $1)) }
    }
    let copied = try reading { () throws(MigrationError) in
      try Database.version(ofFileAt: part, migrator: migrator)
    }
    guard copied == held.version else {
      throw .noRestorePoint(FileFailure("read", part, EIO))
    }
    let name = String(point.dropFirst(folder.count + 1))
    try writing { () throws(FileFailure) in
      // First, so that there is never a second one of the same upgrade.
      try FileCopy.write(Array(name.utf8), to: mark)
      try FileCopy.rename(part, to: point)
    }
    tell(.made(point))
    prune(.migration(0), except: name)
  }

  /// To be called when all migrations are done.
  func upgradeEnded() { unlink(mark) }

  /// The restore point's name of an upgrade that is not at its end.
  private var upgradeUnderWay: String? {
    guard let text = try? String(contentsOfFile: mark, encoding: .utf8),
      Self.isOurs(text), FileCopy.exists("\(folder)/\(text)")
    else { return nil }
    return text
  }

  /// Has the name of the restore point that the upgrade under way began from.
  private var mark: String { "\(folder)/\(Self.mark)" }

  static let mark = "upgrade"

  private func reading<Value>(
    _ body: () throws(MigrationError) -> Value
  ) throws(UnusableDatabase.Reason) -> Value {
    do throws(MigrationError) { return try body() } catch { throw .migration(error) }
  }

  private func writing<Value>(
    _ body: () throws(FileFailure) -> Value
  ) throws(UnusableDatabase.Reason) -> Value {
    do throws(FileFailure) { return try body() } catch { throw .noRestorePoint(error) }
  }
}
