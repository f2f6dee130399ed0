import Bytes
import Foundation

/// Lets a command that root runs act as the owner of the data folder. Files that root makes there would stop a server that
/// runs as that owner.
enum FolderOwner {
  struct Failure: Error, CustomStringConvertible {
    let folder: String
    let owner: String
    let reason: String

    var description: String {
      "\(folder) belongs to \(owner), and root cannot act as \(owner): \(reason). Run the command as \(owner)."
    }
  }

  /// Gives up root's rights for good if the folder is another user's. Otherwise, and if there is no folder yet, nothing changes.
  static func become(of folder: String) throws(Failure) {
    guard geteuid() == 0, let status = FileStatus(of: folder), status.owner != 0 else { return }
    let user = getpwuid(status.owner)?.pointee
    let owner = user.map { String(cString: $0.pw_name) } ?? "user \(status.owner)"
    let group = user?.pw_gid ?? status.group
    func check(_ result: Int32) throws(Failure) {
      guard result == 0 else {
        throw Failure(folder: folder, owner: owner, reason: String(cString: strerror(errno)))
      }
    }
    // Groups before the user: afterwards there is no right to change them.
    #if os(Linux)
      if let user {
        try check(initgroups(user.pw_name, group))
      } else {
        try check(setgroups(0, nil))
      }
    #else
      try check(setgroups(0, nil))
    #endif
    try check(setgid(group))
    try check(setuid(status.owner))
    FileHandle.standardError.write(
      Data("mememe: acting as \(owner), the owner of \(folder)\n".utf8))
  }
}
