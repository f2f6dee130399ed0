import Foundation

/// A system call on a file or folder that failed.
package struct FileError: Error, Equatable {
  package let call: String
  package let path: String
  package let errno: Int32

  /// - Parameter errno: the error number of the call that was made last, unless given.
  package init(_ call: String, _ path: String, errno: Int32 = Foundation.errno) {
    (self.call, self.path, self.errno) = (call, path, errno)
  }
}

extension FileError: CustomStringConvertible {
  package var description: String { "\(call) \(path): \(String(cString: strerror(errno)))" }
}
