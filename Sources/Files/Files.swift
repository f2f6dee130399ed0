import Foundation

/// The calls that make files durable, with the parts of POSIX that are easy to get wrong: interrupted calls, short
/// writes, and folders that must be synced as well.
package enum Files {
  /// Writes all bytes at the current position of the descriptor.
  ///
  /// - Parameter path: for the error only.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
  ) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      // POSIX allows 0 for a full device. `errno` is then that of an earlier call.
      guard count != 0 else { throw FileError("write", path, errno: ENOSPC) }
      guard count > 0 else { throw FileError("write", path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Waits until the content of a file, or the names in a folder, are on the disk.
  ///
  /// - Parameter path: for the error only.
  package static func sync(_ descriptor: Int32, path: String) throws(FileError) {
    #if canImport(Darwin)
      // `fsync` leaves it to the drive when to write. Not every file system supports F_FULLFSYNC.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw FileError("fsync", path) }
    }
  }

  /// Opens a file or folder, and waits until its content or names are on the disk.
  package static func sync(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    try sync(descriptor, path: path)
  }

  /// Waits until the name of a file or folder is on the disk. Its content survives a crash only if its name does.
  package static func syncParent(of path: String) throws(FileError) {
    try sync(parent(of: path))
  }

  /// The folder that has the name.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
