import Foundation

/// The free and total space of a disk.
package enum FreeDisk {
  /// The bytes that this process may still write to the disk that holds `path`; `nil` if the system does
  /// not report them.
  package static func bytes(at path: String) -> Int? { bytes(at: path) { UInt64($0.f_bavail) } }

  /// The total bytes of the disk that holds `path`.
  package static func capacity(at path: String) -> Int? {
    bytes(at: path) { UInt64($0.f_blocks) }
  }

  private static func bytes(at path: String, of blocks: (statvfs) -> UInt64) -> Int? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return nil }
    let (bytes, overflow) = blocks(disk).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
    return overflow ? .max : Int(clamping: bytes)
  }
}
