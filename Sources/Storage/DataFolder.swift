import Bytes
import Files
import Foundation
import Synchronization

/// The folder with all data of a server, and the locks that keep other servers out of it.
///
/// Every version locks `mememe.lock`. A second lock is on the database file itself, which may have other names. The
/// kernel releases both when the process ends, however it ends.
package final class DataFolder: Sendable {
  /// The reason why the folder cannot be used.
  package enum Failure: Error, Equatable {
    /// Another process holds the lock; `processID` is `nil` if the lock file does not contain it.
    case inUse(processID: Int32?)
    /// Another process uses the database file, perhaps under another name.
    case databaseInUse
    case notAFolder
    /// A system call failed with this error number.
    case io(call: String, errno: Int32)
  }

  /// The given path, without trailing slashes.
  package let path: String
  private let lock: Int32
  /// The locks on the database file, and on a file with which a restore has replaced it.
  private let databaseLocks = Mutex<[FileLock]>([])

  /// Creates the folder with mode 0700 if it does not exist. Locks it for the lifetime of this object.
  package init(path: String) throws(Failure) {
    let path = Self.withoutSlashes(path)
    try Self.makeFolder(path)
    let lock = open(Self.lock(in: path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .io(call: "open", errno: errno) }
    guard Self.take(lock) else {
      let error = errno
      defer { close(lock) }
      throw error == EWOULDBLOCK
        ? .inUse(processID: Self.processID(in: lock)) : .io(call: "flock", errno: error)
    }
    (self.path, self.lock) = (path, lock)
    // Only for messages to the operator. The lock itself is what counts.
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
    try lockDatabase(at: database)
  }

  /// Locks the database file. Creates an empty file if none exists, which is a new database for SQLite.
  func lockDatabase() throws(Failure) {
    let file = open(database, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    try lockDatabase(at: database)
  }

  /// Locks a file that is the folder's database, or is about to become it, for the lifetime of this object. Does
  /// nothing if the file is already locked.
  ///
  /// - Throws: ``Failure/databaseInUse``, ``Failure/io(call:errno:)``.
  func lockDatabase(at path: String) throws(Failure) {
    try databaseLocks.withLock { locks throws(Failure) in
      guard !locks.contains(where: { $0.isOn(path) }) else { return }
      do throws(FileLock.Failure) {
        if let lock = try FileLock.lock(path) { locks.append(lock) }
      } catch {
        switch error {
        case .taken: throw .databaseInUse
        case .io(let call, let errno): throw .io(call: call, errno: errno)
        }
      }
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
  package static func isInUse(at path: String) throws(Failure) -> Bool {
    let lock = open(lock(in: withoutSlashes(path)), O_RDONLY | O_CLOEXEC)
    guard lock >= 0 else {
      guard errno == ENOENT else { throw .io(call: "open", errno: errno) }
      return FileLock.isTaken(database(in: path))
    }
    defer { giveBack(lock) }
    if flock(lock, LOCK_SH | LOCK_NB) == 0 { return FileLock.isTaken(database(in: path)) }
    guard errno == EWOULDBLOCK else { throw .io(call: "flock", errno: errno) }
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
  static func makeFolder(_ path: String) throws(Failure) {
    var result = mkdir(path, 0o700)
    if result != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      // Retries only once: where no process can create a folder, as in /proc, the system also reports ENOENT.
      result = mkdir(path, 0o700)
    }
    if result == 0 { return try syncParent(of: path) }
    guard errno == EEXIST else { throw .io(call: "mkdir", errno: errno) }
    guard let status = FileStatus(of: path) else { throw .io(call: "stat", errno: errno) }
    guard status.kind == .folder else { throw .notAFolder }
  }

  /// The content of a folder survives a crash only if the name of the folder itself does.
  private static func syncParent(of path: String) throws(Failure) {
    try sync(folder: Files.parent(of: path))
  }

  /// Syncs a folder. When this returns, the names in the folder are on disk.
  static func sync(folder: String) throws(Failure) {
    do throws(FileError) { try Files.sync(folder) } catch {
      throw .io(call: error.call, errno: error.errno)
    }
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

extension DataFolder.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .inUse(let processID?): "another server (process \(processID)) uses the data folder"
    case .inUse(nil): "another server uses the data folder"
    case .databaseInUse:
      "another server uses this database file, perhaps by another name. Stop it, or choose another data folder."
    case .notAFolder: "the data folder's path is not a folder"
    case .io(let call, let code):
      "the data folder cannot be used: \(call): \(String(cString: strerror(code)))"
    }
  }
}
