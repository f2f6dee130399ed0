import Foundation

/// The files that are about to take the place of a folder's, and what becomes of those: once this is written down, the folder is
/// restored, whoever ends the process; before, it is as it was.
///
/// Every step may have been done already.
struct PendingRestore {
  /// What takes the place of another file has this at its end.
  static let new = ".new"
  /// The files that are replaced together, and those that SQLite keeps beside a database.
  static let keys = ["secret-key", "admin-token"]
  static let beside = ["-wal", "-journal", "-shm"]

  let folder: DataFolder
  /// The name of the restore point that the database which is there becomes.
  let point: String
  /// Whether there is more in that database's log than in itself: one that cannot be opened keeps it.
  let keepsLog: Bool

  private static func note(in folder: DataFolder) -> String { folder.path(of: "restore-pending") }

  static func isDecided(in folder: DataFolder) -> Bool { FileCopy.exists(note(in: folder)) }

  /// Ends a restore that was decided, and removes what one left that was not.
  static func finish(in folder: DataFolder) throws(FileFailure) {
    let note = note(in: folder)
    unlink(note + FileCopy.unfinished)
    guard isDecided(in: folder) else { return removeUndecided(in: folder) }
    // What is written there in one piece, and cannot be read now, is no reason to give up what was decided.
    guard let text = try? String(contentsOfFile: note, encoding: .utf8) else {
      throw FileFailure("read", note, EIO)
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, RestorePoints.isOurs(words[0]) else {
      throw FileFailure("read", note, EINVAL)
    }
    try PendingRestore(folder: folder, point: words[0], keepsLog: words[1] == "log").finish()
  }

  /// Removes a database that is not restored, with all that is beside it.
  static func removeUndecided(in folder: DataFolder) {
    let database = folder.database + new
    for end in beside + ["-gate", ""] { unlink(database + end) }
    for key in keys {
      for end in ["", FileCopy.unfinished] { unlink(folder.path(of: key) + new + end) }
    }
  }

  /// Restores the folder. The new files have to be on the disk.
  func decide() throws(FileFailure) {
    let note = "\(point) \(keepsLog ? "log" : "whole")"
    try FileCopy.write(Array(note.utf8), to: Self.note(in: folder))
    try finish()
  }

  private func finish() throws(FileFailure) {
    let kept = RestorePoints.path(in: folder) + "/\(point)"
    if FileCopy.exists(folder.database + Self.new) {
      // Before it has the name, so that no server is ever without a lock on it.
      do throws(DataFolder.Failure) {
        try folder.lockDatabase(at: folder.database + Self.new)
      } catch {
        throw FileFailure("lock", folder.database + Self.new, EBUSY)
      }
      try keep(folder.database, as: kept)
      for end in Self.beside {
        let path = folder.database + end
        guard FileCopy.exists(path) else { continue }
        // A log that is not this database's must not stand beside the one that comes.
        if keepsLog, end != "-shm" {
          try FileCopy.rename(path, to: kept + end)
        } else {
          guard unlink(path) == 0 else { throw FileFailure("unlink", path) }
        }
      }
      // The second name lasts before the first is another file's.
      try FileCopy.sync(RestorePoints.path(in: folder))
      try FileCopy.sync(folder.path)
      try FileCopy.rename(folder.database + Self.new, to: folder.database)
    }
    for key in Self.keys { try keepCopy(of: folder.path(of: key), as: "\(kept)-\(key)") }
    for key in Self.keys where FileCopy.exists(folder.path(of: key) + Self.new) {
      try FileCopy.rename(folder.path(of: key) + Self.new, to: folder.path(of: key))
    }
    // Of an upgrade of the database that was there.
    unlink("\(RestorePoints.path(in: folder))/\(RestorePoints.mark)")
    try FileCopy.sync(RestorePoints.path(in: folder))
    let note = Self.note(in: folder)
    guard unlink(note) == 0 else { throw FileFailure("unlink", note) }
    try FileCopy.sync(folder.path)
  }

  /// Copies a file that people may change where it is, unless that was done.
  private func keepCopy(of path: String, as kept: String) throws(FileFailure) {
    guard FileCopy.exists(path), !FileCopy.exists(kept) else { return }
    let part = kept + FileCopy.unfinished
    unlink(part)
    try FileCopy.copy(path, to: part) { _, _ in }
    try FileCopy.rename(part, to: kept)
  }

  /// Gives what is there a second name, unless that was done.
  private func keep(_ path: String, as kept: String) throws(FileFailure) {
    guard FileCopy.exists(path), !FileCopy.exists(kept) else { return }
    guard link(path, kept) == 0 else { throw FileFailure("link", kept) }
  }
}
