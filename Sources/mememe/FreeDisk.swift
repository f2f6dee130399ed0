import Foundation

/// How much room a disk has.
enum FreeDisk {
  /// The bytes that this process may still write to the disk that holds `path`; `nil` where the system does not tell.
  static func bytes(at path: String) -> Int? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return nil }
    let (bytes, overflow) = UInt64(disk.f_bavail).multipliedReportingOverflow(
      by: UInt64(disk.f_frsize))
    return overflow ? .max : Int(clamping: bytes)
  }
}
