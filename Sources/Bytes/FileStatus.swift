import Foundation

/// What is at a path, or behind a descriptor.
///
/// The one place that asks with `stat`: in rooms that see Dispatch too, the compiler does not always find who declares it.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case file, folder, link, other
  }

  package let kind: Kind
  /// How many bytes it has.
  package let byteCount: Int
  package let identity: Identity
  /// The numbers of the user and the group that it belongs to.
  package let owner: UInt32
  package let group: UInt32
  /// Whether users other than the owner and the group may read it.
  package let isReadableByAll: Bool

  /// Identifies a file under all of its names: device and inode number.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    package let number: UInt64
  }

  /// - Returns: `nil` where nothing is there. A link is followed where that is not said otherwise.
  package init?(of path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// - Returns: `nil` where it is no open descriptor; `errno` says why.
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
