import Bytes
import Foundation

/// An exclusive lock on a file itself, whatever names it has: a symbolic or hard link to it leads to the same lock.
///
/// The lock is an open file description lock on one byte far behind those that SQLite locks, so it does not disturb SQLite. But
/// closing a descriptor of a file gives up SQLite's own locks on that file in this process: a lock must outlive every connection.
final class FileLock: Sendable {
  private let descriptor: Int32
  private let file: FileStatus.Identity

  private init(_ descriptor: Int32, _ file: FileStatus.Identity) {
    (self.descriptor, self.file) = (descriptor, file)
  }

  deinit {
    // Not by closing alone: a child that is being started has a copy of the descriptor until it becomes another program.
    _ = Self.set(Int16(F_UNLCK), on: descriptor)
    close(descriptor)
  }

  /// Whether this is the lock of the file at a path.
  func isOn(_ path: String) -> Bool { FileStatus(of: path)?.identity == file }

  enum Failure: Error {
    /// Another process has the lock.
    case taken
    case io(call: String, errno: Int32)
  }

  /// Locks a file.
  ///
  /// - Returns: `nil` if there is no such file, or this process may not write it: opening the database reports that.
  static func lock(_ path: String) throws(Failure) -> FileLock? {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      if [ENOENT, EACCES, EPERM, EISDIR, EROFS, ENOTDIR, ELOOP].contains(errno) { return nil }
      throw .io(call: "open", errno: errno)
    }
    guard let file = FileStatus(of: descriptor)?.identity else {
      defer { close(descriptor) }
      throw .io(call: "fstat", errno: errno)
    }
    let error = set(Int16(F_WRLCK), on: descriptor)
    guard error == 0 else {
      close(descriptor)
      throw [EAGAIN, EACCES].contains(error) ? .taken : .io(call: "fcntl", errno: error)
    }
    return FileLock(descriptor, file)
  }

  /// Whether another process has the lock of a file now. No connection of this process may have the file open.
  static func isTaken(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    #if os(Linux)
      var range = Self.range(Int16(F_WRLCK))
      return fcntl(descriptor, Command.get, &range) == 0 && range.l_type != Int16(F_UNLCK)
    #else
      return false
    #endif
  }

  /// - Returns: the error number; 0 if it was done.
  private static func set(_ kind: Int16, on descriptor: Int32) -> Int32 {
    #if os(Linux)
      var range = range(kind)
      return fcntl(descriptor, Command.set, &range) == 0 ? 0 : errno
    #else
      // Other systems have locks of a process alone, which SQLite's would mix with. The lock file has to do there.
      return 0
    #endif
  }

  #if os(Linux)
    /// F_OFD_GETLK and F_OFD_SETLK, which Swift does not import.
    private enum Command {
      static let get: Int32 = 36
      static let set: Int32 = 37
    }

    /// One byte, far behind those that SQLite locks.
    private static func range(_ kind: Int16) -> flock {
      var range = flock()
      (range.l_type, range.l_whence) = (kind, Int16(SEEK_SET))
      (range.l_start, range.l_len) = (1 << 62, 1)
      return range
    }
  #endif
}
