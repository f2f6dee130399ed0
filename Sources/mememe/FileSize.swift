import Dispatch
import Foundation

/// How large a file is.
enum FileSize {
  /// - Returns: 0 where there is no such file.
  static func bytes(at path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
