import Foundation

/// The type, size and ownership of the file at a path or behind a descriptor.
///
/// It wraps `stat`: in modules that also see Dispatch, the compiler cannot always resolve the declaration of `stat`.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case file, folder, link, other
  }

  package let kind: Kind
  /// The size in bytes.
  package let byteCount: Int
  package let identity: Identity
  /// The IDs of the user and the group that own the file.
  package let owner: UInt32
  package let group: UInt32
  /// Whether users other than the owner and the group may read the file.
  package let isReadableByAll: Bool

  /// The device and inode number, which are the same for all names of a file.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    package let number: UInt64
  }

  /// Follows symbolic links unless `followingLinks` is `false`.
  ///
  /// - Returns: `nil` if nothing exists at the path.
  package init?(of path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// - Returns: `nil` if `descriptor` is not open; `errno` has the reason.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether the path is on a file system that is mounted read-only.
  package static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    byteCount = Int(status.st_size)
    (owner, group) = (status.st_uid, status.st_gid)
    isReadableByAll = status.st_mode & S_IROTH != 0
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }
}
