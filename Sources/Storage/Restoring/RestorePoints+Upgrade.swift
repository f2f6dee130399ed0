import Files
import Foundation
import SQL
import SQLite

extension RestorePoints {
  /// Makes a restore point of a database that lacks migrations. A new or current database needs none.
  ///
  /// An interrupted upgrade already has a restore point, and continues. The state in the middle of an upgrade is not
  /// worth another one.
  func keepBeforeUpgrade(
    of path: String, migrator: Migrator
  ) throws(UnusableDatabase.Reason) {
    let held = try reading { () throws(MigrationError) in
      try FrozenDatabase(path: path, migrator: migrator) { $0 > 0 && $0 < $1 }
    }
    defer { withExtendedLifetime(held) {} }
    guard held.version > 0, held.version < held.newest else { return upgradeEnded() }
    try writing { () throws(FileError) in try makeFolder() }
    guard upgradeUnderWay == nil else { return }

    let point = newPath(for: .migration(held.version + 1))
    let part = point + FileCopy.unfinished
    try writing { () throws(FileError) in
      try FileCopy.copy(path, to: part) { tell(.copying(done: $0, all: $1)) }
    }
    let copied = try reading { () throws(MigrationError) in
      try SQLiteDatabase.version(ofFileAt: part, migrator: migrator)
    }
    guard copied == held.version else {
      throw .noRestorePoint(FileError("read", part, errno: EIO))
    }
    let name = String(point.dropFirst(folder.count + 1))
    try writing { () throws(FileError) in
      // The mark is written first, so that an upgrade never makes a second restore point.
      try FileCopy.write(Array(name.utf8), to: mark)
      try FileCopy.rename(part, to: point)
    }
    tell(.made(point))
    prune(.migration(0), except: name)
  }

  /// Call this after all migrations.
  func upgradeEnded() { unlink(mark) }

  /// The name of the restore point of an unfinished upgrade; `nil` if there is none.
  private var upgradeUnderWay: String? {
    guard let text = try? String(contentsOfFile: mark, encoding: .utf8),
      Self.isOurs(text), FileCopy.exists("\(folder)/\(text)")
    else { return nil }
    return text
  }

  /// The path of the file that contains the name of the restore point of the current upgrade.
  private var mark: String { "\(folder)/\(Self.mark)" }

  static let mark = "upgrade"

  private func reading<Value>(
    _ body: () throws(MigrationError) -> Value
  ) throws(UnusableDatabase.Reason) -> Value {
    do throws(MigrationError) { return try body() } catch { throw .migration(error) }
  }

  private func writing<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(UnusableDatabase.Reason) -> Value {
    do throws(FileError) { return try body() } catch { throw .noRestorePoint(error) }
  }
}
