import Bytes
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
  /// - Throws: ``FileError``. No copy exists then.
  static func copy(
    _ source: String, to target: String, progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws(FileError) {
    let from = open(source, O_RDONLY | O_CLOEXEC)
    guard from >= 0 else { throw FileError("open", source) }
    defer { close(from) }
    let bytes = Int64(lseek(from, 0, SEEK_END))
    guard bytes >= 0 else { throw FileError("lseek", source) }
    do throws(FileError) {
      if try !clone(from, source, to: target) {
        if let free = FreeDisk.bytes(at: Files.parent(of: target)), Int64(free) < bytes {
          throw noRoom(for: bytes, freeBytes: Int64(free), at: target)
        }
        try write(from, source, to: target, bytes: bytes, progress)
      }
      try Files.sync(target)
    } catch {
      if error != FileError("open", target, errno: EEXIST) { unlink(target) }
      throw error
    }
    progress(bytes, bytes)
  }

  /// Creates or replaces a small file. The change is durable when this returns.
  static func write(_ content: [UInt8], to path: String) throws(FileError) {
    let part = path + unfinished
    unlink(part)
    let descriptor = try make(part)
    defer { close(descriptor) }
    try Files.write(Bytes(content), to: descriptor, path: part)
    try Files.sync(part)
    try rename(part, to: path)
  }

  /// Renames a file within a file system, and replaces an existing file of the new name. The change is durable when
  /// this returns.
  static func rename(_ path: String, to target: String) throws(FileError) {
    guard Foundation.rename(path, target) == 0 else { throw FileError("rename", path) }
    try Files.syncParent(of: target)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The error for a disk with too little free space. This is detected before anything is written.
  private static func noRoom(
    for neededBytes: Int64, freeBytes: Int64, at target: String
  ) -> FileError {
    func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
    return FileError(
      "write", target, errno: ENOSPC,
      detail: "\(megabytes(neededBytes)) MB required, \(megabytes(freeBytes)) MB free")
  }

  private static func make(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError("open", path) }
    return descriptor
  }

  /// - Returns: whether the file system supports clones.
  private static func clone(
    _ from: Int32, _ source: String, to target: String
  ) throws(FileError) -> Bool {
    #if os(Linux)
      // FICLONE of linux/fs.h, a macro that Swift does not import.
      let clone: UInt = 0x4004_9409
      let to = try make(target)
      defer { close(to) }
      if ioctl(to, clone, from) == 0 { return true }
      unlink(target)
      return false
    #else
      guard !exists(target) else { throw FileError("open", target, errno: EEXIST) }
      return clonefile(source, target, 0) == 0 && chmod(target, 0o600) == 0
    #endif
  }

  private static func write(
    _ from: Int32, _ source: String, to target: String, bytes: Int64,
    _ progress: (_ done: Int64, _ all: Int64) -> Void
  ) throws(FileError) {
    let to = try make(target)
    defer { close(to) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    var done: Int64 = 0
    while true {
      let count = pread(from, piece.baseAddress, piece.count, off_t(done))
      guard count >= 0 else { throw FileError("read", source) }
      guard count > 0 else { break }
      try Files.write(UnsafeRawBufferPointer(rebasing: piece[..<count]), to: to, path: target)
      done += Int64(count)
      progress(done, max(done, bytes))
    }
    guard done == bytes else { throw FileError("read", source, errno: EIO) }
  }
}
