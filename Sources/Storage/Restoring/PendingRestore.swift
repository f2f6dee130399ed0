import Files
import Foundation

/// The files that are about to replace those of a folder, and the restore point for the replaced files. Once this is on
/// disk, the restore is decided: it will be finished even if the process ends. Before that, the folder is unchanged.
///
/// Every step may already be done, by an earlier process.
struct PendingRestore {
  /// The suffix of a file that will replace another one.
  static let new = ".new"
  /// The files that are replaced together, and the suffixes of the files that SQLite keeps next to a database.
  static let keys = ["secret-key", "admin-token"]
  static let beside = ["-wal", "-journal", "-shm"]

  let folder: DataFolder
  /// The name of the restore point that the existing database becomes.
  let point: String
  /// Whether the restore point keeps the WAL of the existing database. A database that cannot be opened keeps it,
  /// because its WAL may contain further changes.
  let keepsLog: Bool

  private static func note(in folder: DataFolder) -> String { folder.path(of: "restore-pending") }

  static func isDecided(in folder: DataFolder) -> Bool { FileCopy.exists(note(in: folder)) }

  /// Finishes a restore that was decided. Deletes the leftovers of one that was not.
  static func finish(in folder: DataFolder) throws(FileError) {
    let note = note(in: folder)
    unlink(note + FileCopy.unfinished)
    guard isDecided(in: folder) else { return removeUndecided(in: folder) }
    // The note was written atomically. If it cannot be read now, the decided restore must not be abandoned.
    guard let text = try? String(contentsOfFile: note, encoding: .utf8) else {
      throw FileError("read", note, errno: EIO)
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, RestorePoints.isOurs(words[0]) else {
      throw FileError("read", note, errno: EINVAL)
    }
    try PendingRestore(folder: folder, point: words[0], keepsLog: words[1] == "log").finish()
  }

  /// Deletes a database that will not be restored, and all files next to it.
  static func removeUndecided(in folder: DataFolder) {
    let database = folder.database + new
    for end in beside + ["-gate", ""] { unlink(database + end) }
    for key in keys {
      for end in ["", FileCopy.unfinished] { unlink(folder.path(of: key) + new + end) }
    }
  }

  /// Restores the folder. The new files must already be on disk.
  func decide() throws(FileError) {
    let note = "\(point) \(keepsLog ? "log" : "whole")"
    try FileCopy.write(Array(note.utf8), to: Self.note(in: folder))
    try finish()
  }

  private func finish() throws(FileError) {
    let kept = RestorePoints.path(in: folder) + "/\(point)"
    if FileCopy.exists(folder.database + Self.new) {
      // Locks the file before the rename, so that a server always holds a lock on its database.
      guard try folder.lockDatabase(at: folder.database + Self.new) else {
        throw FileError("lock", folder.database + Self.new, errno: EBUSY)
      }
      try keep(folder.database, as: kept)
      for end in Self.beside {
        let path = folder.database + end
        guard FileCopy.exists(path) else { continue }
        // The WAL or journal of the old database must not end up next to the new one.
        if keepsLog, end != "-shm" {
          try FileCopy.rename(path, to: kept + end)
        } else {
          guard unlink(path) == 0 else { throw FileError("unlink", path) }
        }
      }
      // The name of the restore point must be durable before the old name refers to another file.
      try Files.sync(RestorePoints.path(in: folder))
      try Files.sync(folder.path)
      try FileCopy.rename(folder.database + Self.new, to: folder.database)
    }
    for key in Self.keys { try keepCopy(of: folder.path(of: key), as: "\(kept)-\(key)") }
    for key in Self.keys where FileCopy.exists(folder.path(of: key) + Self.new) {
      try FileCopy.rename(folder.path(of: key) + Self.new, to: folder.path(of: key))
    }
    // This file belongs to an upgrade of the replaced database.
    unlink("\(RestorePoints.path(in: folder))/\(RestorePoints.mark)")
    try Files.sync(RestorePoints.path(in: folder))
    let note = Self.note(in: folder)
    guard unlink(note) == 0 else { throw FileError("unlink", note) }
    try Files.sync(folder.path)
  }

  /// Copies a file that the operator may edit in place, unless the copy exists.
  private func keepCopy(of path: String, as kept: String) throws(FileError) {
    guard FileCopy.exists(path), !FileCopy.exists(kept) else { return }
    let part = kept + FileCopy.unfinished
    unlink(part)
    try FileCopy.copy(path, to: part) { _, _ in }
    try FileCopy.rename(part, to: kept)
  }

  /// Gives the file a second name, unless that name exists. A file system without hard links gives it the name instead
  /// of the first one. The folder has no database then until the next step, which the next start also takes.
  private func keep(_ path: String, as kept: String) throws(FileError) {
    guard FileCopy.exists(path), !FileCopy.exists(kept) else { return }
    guard link(path, kept) != 0 else { return }
    let error = errno
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error) else {
      throw FileError("link", kept, errno: error)
    }
    try FileCopy.rename(path, to: kept)
  }
}
