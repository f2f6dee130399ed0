import Bytes
import Foundation

/// Lets a command that root runs act as the owner of the data folder. A server that runs as that owner could not use
/// files that root creates there.
enum FolderOwner {
  struct Failure: Error, CustomStringConvertible {
    let folder: String
    let owner: String
    let reason: String

    var description: String {
      "\(folder) belongs to \(owner), and root cannot switch to that user: \(reason). Run the command as \(owner)."
    }
  }

  /// Drops root's privileges for good if the folder belongs to another user. Does nothing otherwise, or if the folder
  /// does not exist yet.
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
    // Sets the groups first: after setuid the process may no longer change them.
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
    FileHandle.standardError.put("mememe: running as \(owner), the owner of \(folder)\n")
  }
}
