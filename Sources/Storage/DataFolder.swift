import Bytes
package import Files
import Foundation
import Synchronization

/// The folder with all data of a server, and the locks that keep other servers out of it.
///
/// Every version locks `mememe.lock`. A second lock is on the database file itself, which may have other names. The
/// kernel releases both when the process ends, however it ends.
package final class DataFolder: Sendable {
  /// Another process uses the folder.
  package enum InUse: Error, Equatable {
    /// It holds the lock; `processID` is `nil` if the lock file does not contain it.
    case folder(processID: Int32?)
    /// It uses the database file, perhaps under another name.
    case database
  }

  /// The given path, without trailing slashes.
  package let path: String
  private let lock: Int32
  /// The locks on the database file, and on a file with which a restore has replaced it.
  private let databaseLocks = Mutex<[FileLock]>([])

  /// Creates the folder with mode 0700 if it does not exist. Locks it for the lifetime of this object.
  ///
  /// - Throws: ``InUse``, ``FileError``.
  package init(path: String) throws {
    let path = Self.withoutSlashes(path)
    try Self.makeFolder(path)
    let lockFile = Self.lock(in: path)
    let lock = open(lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw FileError("open", lockFile) }
    guard Self.take(lock) else {
      let error = errno
      defer { close(lock) }
      guard error == EWOULDBLOCK else { throw FileError("flock", lockFile, errno: error) }
      throw InUse.folder(processID: Self.processID(in: lock))
    }
    (self.path, self.lock) = (path, lock)
    // Only for messages to the operator. The lock itself is what counts.
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
    guard try lockDatabase(at: database) else { throw InUse.database }
  }

  /// Locks the database file. Creates an empty file if none exists, which is a new database for SQLite.
  ///
  /// - Returns: `false` if another process uses the file.
  func lockDatabase() throws(FileError) -> Bool {
    let file = open(database, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    return try lockDatabase(at: database)
  }

  /// Locks a file that is the folder's database, or is about to become it, for the lifetime of this object. Does
  /// nothing if the file is already locked.
  ///
  /// - Returns: `false` if another process uses the file.
  func lockDatabase(at path: String) throws(FileError) -> Bool {
    try databaseLocks.withLock { locks throws(FileError) -> Bool in
      if locks.contains(where: { $0.isOn(path) }) { return true }
      switch try FileLock.lock(path) {
      case .locked(let lock): locks.append(lock)
      case .taken: return false
      // Opening the database reports the reason.
      case .notWritable: break
      }
      return true
    }
  }

  deinit { Self.giveBack(lock) }

  /// The path of the database file.
  package var database: String { Self.database(in: path) }

  /// The path of the database file in the folder at `path`. The file may not exist.
  package static func database(in path: String) -> String { withoutSlashes(path) + "/mememe.db" }

  /// Whether a process currently holds one of the locks. Creates no file, and keeps no lock.
  ///
  /// Do not call this while this process has the database open: closing the file here would release SQLite's locks.
  package static func isInUse(at path: String) throws(FileError) -> Bool {
    let lockFile = Self.lock(in: withoutSlashes(path))
    let lock = open(lockFile, O_RDONLY | O_CLOEXEC)
    guard lock >= 0 else {
      guard errno == ENOENT else { throw FileError("open", lockFile) }
      return FileLock.isTaken(database(in: path))
    }
    defer { giveBack(lock) }
    if flock(lock, LOCK_SH | LOCK_NB) == 0 { return FileLock.isTaken(database(in: path)) }
    guard errno == EWOULDBLOCK else { throw FileError("flock", lockFile) }
    return true
  }

  private static func lock(in path: String) -> String { path + "/mememe.lock" }

  /// Takes the lock. Retries once, because a call of ``isInUse(at:)`` in another process holds it for a moment.
  private static func take(_ lock: Int32) -> Bool {
    if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { return false }
    usleep(50_000)
    return flock(lock, LOCK_EX | LOCK_NB) == 0
  }

  /// Closing the file is not enough: a child process that is being started holds a copy of the descriptor, and with it
  /// the lock, until it runs another program.
  private static func giveBack(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The path of a file or folder in this folder.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Creates a folder and its missing parents, with access for the owner only. Does nothing if the folder exists.
  static func makeFolder(_ path: String) throws(FileError) {
    var result = mkdir(path, 0o700)
    if result != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      // Retries only once: where no process can create a folder, as in /proc, the system also reports ENOENT.
      result = mkdir(path, 0o700)
    }
    if result == 0 { return try Files.syncParent(of: path) }
    guard errno == EEXIST else { throw FileError("mkdir", path) }
    guard let status = FileStatus(of: path) else { throw FileError("stat", path) }
    guard status.kind == .folder else { throw FileError("mkdir", path, errno: ENOTDIR) }
  }

  private static func processID(in lock: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(lock, &text, text.count, 0)
    guard count > 0 else { return nil }
    return Int32(
      String(decoding: text.prefix(count), as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines))
  }
}

extension DataFolder.InUse: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folder(let processID?): "another server (process \(processID)) is using the data folder"
    case .folder(nil): "another server is using the data folder"
    case .database:
      "another server is using this database file, possibly under another path. Stop it, or choose another data folder."
    }
  }
}
