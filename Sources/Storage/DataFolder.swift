import Bytes
import Foundation
import Synchronization

/// The folder that holds everything a server keeps, and the locks that keep a second server out of it.
///
/// One lock is on `mememe.lock`, as in every version; one is on the database's file itself, which may have other names. Both are the
/// kernel's: they go when the process goes, however that ends.
package final class DataFolder: Sendable {
  /// Why the folder cannot be used.
  package enum Failure: Error, Equatable {
    /// Another process has the lock: its number, where the file tells it.
    case inUse(processID: Int32?)
    /// Another process uses the database's file, perhaps under another name.
    case databaseInUse
    case notAFolder
    /// The system call that failed, and its error number.
    case io(call: String, errno: Int32)
  }

  /// The folder as it was given, without a slash at the end.
  package let path: String
  private let lock: Int32
  /// Of the database's file, and of the one that a restore put in its place.
  private let databaseLocks = Mutex<[FileLock]>([])

  /// Makes the folder (mode 0700) where there is none, and locks it until the last reference to this goes.
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
    // For people only: the lock is what counts.
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
    try lockDatabase(at: database)
  }

  /// Locks the database's file, and makes an empty one if there is none: for SQLite that is a new database.
  func lockDatabase() throws(Failure) {
    let file = open(database, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    try lockDatabase(at: database)
  }

  /// Locks a file that is the folder's database or becomes it, until the last reference to the folder goes. A file that is locked
  /// already stays so.
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

  /// The database's file.
  package var database: String { Self.database(in: path) }

  /// Where the database of the folder at `path` is, if there is one.
  package static func database(in path: String) -> String { withoutSlashes(path) + "/mememe.db" }

  /// Whether a process has one of the locks at this moment. Makes nothing and keeps nothing.
  ///
  /// Not while this process has the database open: closing its file here would give up SQLite's locks.
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

  /// Takes the lock. Somebody who only asks for it, ``isInUse(at:)``, has it for a moment: then once more.
  private static func take(_ lock: Int32) -> Bool {
    if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { return false }
    usleep(50_000)
    return flock(lock, LOCK_EX | LOCK_NB) == 0
  }

  /// Not by closing it alone: a child that is being started has a copy, and with it the lock, until it becomes another program.
  private static func giveBack(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// A file or folder of this name in the folder.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder, and those that it is in, for nobody but its owner; nothing where there is one.
  static func makeFolder(_ path: String) throws(Failure) {
    var result = mkdir(path, 0o700)
    if result != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      // Once: where nobody can make a folder, as in /proc, the system says ENOENT too.
      result = mkdir(path, 0o700)
    }
    if result == 0 { return try syncParent(of: path) }
    guard errno == EEXIST else { throw .io(call: "mkdir", errno: errno) }
    guard let status = FileStatus(of: path) else { throw .io(call: "stat", errno: errno) }
    guard status.kind == .folder else { throw .notAFolder }
  }

  /// What is in a folder survives a crash only if the folder's own name does.
  private static func syncParent(of path: String) throws(Failure) {
    let slash = path.lastIndex(of: "/")
    try sync(folder: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
  }

  /// When this returns, the names in the folder are on the disk.
  static func sync(folder: String) throws(Failure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(call: "open", errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(call: "fsync", errno: errno) }
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
