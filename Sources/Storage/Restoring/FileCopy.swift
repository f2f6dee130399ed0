import Files
import Foundation

/// Copies files on the disk of the data folder, and makes changes of file names durable.
enum FileCopy {
  /// The suffix of an incomplete file.
  static let unfinished = ".part"

  /// The number of bytes per read.
  private static let pieceBytes = 4 << 20

  /// Copies a file with mode 0600 to a path that must not exist, and syncs the copy. On file systems with copy-on-write
  /// clones, such as Btrfs, XFS and APFS, this takes no time and no space.
  ///
  /// - Parameter progress: called from time to time with the number of copied bytes and of all bytes.
  /// - Throws: ``FileFailure``. No copy exists then.
  static func copy(
    _ source: String, to target: String, progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws(FileFailure) {
    let from = open(source, O_RDONLY | O_CLOEXEC)
    guard from >= 0 else { throw FileFailure("open", source) }
    defer { close(from) }
    let bytes = Int64(lseek(from, 0, SEEK_END))
    guard bytes >= 0 else { throw FileFailure("lseek", source) }
    do throws(FileFailure) {
      if try !clone(from, source, to: target) {
        if let free = freeBytes(besides: target), free < bytes {
          throw .noRoom(neededBytes: bytes, freeBytes: free)
        }
        try write(from, source, to: target, bytes: bytes, progress)
      }
      try sync(target)
    } catch {
      if error != FileFailure("open", target, EEXIST) { unlink(target) }
      throw error
    }
    progress(bytes, bytes)
  }

  /// Syncs a file, or the names in a folder, to disk.
  static func sync(_ path: String) throws(FileFailure) {
    do throws(FileError) { try Files.sync(path) } catch { throw FileFailure(error) }
  }

  /// Creates or replaces a small file. The change is durable when this returns.
  static func write(_ content: [UInt8], to path: String) throws(FileFailure) {
    let part = path + unfinished
    unlink(part)
    let descriptor = try make(part)
    defer { close(descriptor) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: content)
    try write(UnsafeRawBufferPointer(bytes), to: descriptor, part)
    try sync(part)
    try rename(part, to: path)
  }

  /// Renames a file within a file system, and replaces an existing file of the new name. The change is durable when
  /// this returns.
  static func rename(_ path: String, to target: String) throws(FileFailure) {
    guard Foundation.rename(path, target) == 0 else { throw FileFailure("rename", path) }
    try sync(Files.parent(of: target))
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func freeBytes(besides path: String) -> Int64? {
    var disk = statvfs()
    guard statvfs(Files.parent(of: path), &disk) == 0 else { return nil }
    let (bytes, overflow) = UInt64(disk.f_bavail).multipliedReportingOverflow(
      by: UInt64(disk.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  private static func make(_ path: String) throws(FileFailure) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure("open", path) }
    return descriptor
  }

  /// - Returns: whether the file system supports clones.
  private static func clone(
    _ from: Int32, _ source: String, to target: String
  ) throws(FileFailure) -> Bool {
    #if os(Linux)
      // FICLONE of linux/fs.h, a macro that Swift does not import.
      let clone: UInt = 0x4004_9409
      let to = try make(target)
      defer { close(to) }
      if ioctl(to, clone, from) == 0 { return true }
      unlink(target)
      return false
    #else
      guard !exists(target) else { throw FileFailure("open", target, EEXIST) }
      return clonefile(source, target, 0) == 0 && chmod(target, 0o600) == 0
    #endif
  }

  private static func write(
    _ from: Int32, _ source: String, to target: String, bytes: Int64,
    _ progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws(FileFailure) {
    let to = try make(target)
    defer { close(to) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    var done: Int64 = 0
    while true {
      let count = pread(from, piece.baseAddress, piece.count, off_t(done))
      guard count >= 0 else { throw FileFailure("read", source) }
      guard count > 0 else { break }
      try write(UnsafeRawBufferPointer(rebasing: piece[..<count]), to: to, target)
      done += Int64(count)
      progress(done, max(done, bytes))
    }
    guard done == bytes else { throw FileFailure("read", source, EIO) }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
  ) throws(FileFailure) {
    do throws(FileError) { try Files.write(bytes, to: descriptor, path: path) } catch {
      throw FileFailure(error)
    }
  }
}
