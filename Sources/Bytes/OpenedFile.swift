import Foundation

/// A file that is open for reading and is assumed not to change. It is closed when the last reference is released.
///
/// Safe to use from any thread.
package final class OpenedFile: Sendable {
  /// The size of the file in bytes.
  package let count: Int
  /// The open descriptor. Pass a duplicate to any code that closes it.
  package let descriptor: Int32

  /// - Returns: `nil` if there is no regular file at the path, or it cannot be opened.
  package init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    guard let status = FileStatus(of: descriptor), status.kind == .file else {
      close(descriptor)
      return nil
    }
    count = status.byteCount
  }

  deinit { close(descriptor) }
}
