import Foundation

/// A system call on a file or folder that failed.
package struct FileError: Error, Equatable {
  package let call: String
  package let path: String
  package let errno: Int32
  /// Facts for the operator that the error number does not state; `nil` if there are none.
  package let detail: String?

  /// - Parameter errno: the error number of the call that was made last, unless given.
  package init(
    _ call: String, _ path: String, errno: Int32 = Foundation.errno, detail: String? = nil
  ) {
    (self.call, self.path, self.errno, self.detail) = (call, path, errno, detail)
  }

  /// Whether the disk, or the user's quota on it, is full.
  package var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }
}

extension FileError: CustomStringConvertible {
  package var description: String {
    "\(call) \(path): \(String(cString: strerror(errno)))" + (detail.map { ", \($0)" } ?? "")
  }
}
