import Bytes
import Files
import Foundation

/// An exclusive lock on a file itself, whatever its name: symbolic and hard links to the file share the lock.
///
/// It is an open file description lock on one byte far beyond the bytes that SQLite locks, so it does not disturb
/// SQLite. But closing any descriptor of a file releases SQLite's own locks on that file in this process, so the lock
/// must outlive every connection.
final class FileLock: Sendable {
  private let descriptor: Int32
  private let file: FileStatus.Identity

  private init(_ descriptor: Int32, _ file: FileStatus.Identity) {
    (self.descriptor, self.file) = (descriptor, file)
  }

  deinit {
    // Closing the file is not enough: a child process that is being started holds a copy of the descriptor until it
    // runs another program.
    _ = Self.set(Int16(F_UNLCK), on: descriptor)
    close(descriptor)
  }

  /// Whether this lock is on the file at a path.
  func isOn(_ path: String) -> Bool { FileStatus(of: path)?.identity == file }

  /// The result of an attempt to lock a file.
  enum Attempt {
    case locked(FileLock)
    /// Another process holds the lock.
    case taken
    /// The file does not exist, or this process may not write to it.
    case notWritable
  }

  /// Locks a file, without waiting.
  static func lock(_ path: String) throws(FileError) -> Attempt {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = errno
      guard [ENOENT, EACCES, EPERM, EISDIR, EROFS, ENOTDIR, ELOOP].contains(error) else {
        throw FileError("open", path, errno: error)
      }
      return .notWritable
    }
    guard let file = FileStatus(of: descriptor)?.identity else {
      defer { close(descriptor) }
      throw FileError("fstat", path)
    }
    let error = set(Int16(F_WRLCK), on: descriptor)
    guard error == 0 else {
      close(descriptor)
      guard [EAGAIN, EACCES].contains(error) else {
        throw FileError("fcntl", path, errno: error)
      }
      return .taken
    }
    return .locked(FileLock(descriptor, file))
  }

  /// Whether another process currently holds the lock on a file. This process must have no connection to the file.
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

  /// - Returns: the error number; 0 on success.
  private static func set(_ kind: Int16, on descriptor: Int32) -> Int32 {
    #if os(Linux)
      var range = range(kind)
      return fcntl(descriptor, Command.set, &range) == 0 ? 0 : errno
    #else
      // Other systems have only process-wide locks, which would interfere with SQLite's. There, the lock file must
      // suffice.
      return 0
    #endif
  }

  #if os(Linux)
    /// F_OFD_GETLK and F_OFD_SETLK, which Swift does not import.
    private enum Command {
      static let get: Int32 = 36
      static let set: Int32 = 37
    }

    /// One byte, far beyond the bytes that SQLite locks.
    private static func range(_ kind: Int16) -> flock {
      var range = flock()
      (range.l_type, range.l_whence) = (kind, Int16(SEEK_SET))
      (range.l_start, range.l_len) = (1 << 62, 1)
      return range
    }
  #endif
}
