import Foundation

/// A file that is open for reading, and that nobody changes. It is closed when the last reference to it goes.
///
/// Safe to use from any thread.
package final class OpenedFile: Sendable {
  /// The number of its bytes.
  package let count: Int
  /// Whoever hands it to somebody that closes it hands over a duplicate.
  package let descriptor: Int32

  /// - Returns: `nil` where there is no such file, or it cannot be read.
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
