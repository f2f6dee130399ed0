package import Bytes
import CHelpers
import Foundation

/// An unnamed file in memory, which the server and a helper process share. It is read and written by system calls.
package struct HelperMemory: Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  init(named name: String) throws(HelperFailure) {
    descriptor = mememe_memory_file(name, 0)
    if descriptor < 0 { throw .system("memory file", errno) }
  }

  /// Writes bytes at `offset`, and extends the file if necessary.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(HelperFailure) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("pwrite", errno) }
      done += count
    }
  }

  package func write(_ bytes: Bytes, at offset: Int) throws(HelperFailure) {
    try bytes.withUnsafeBytes { bytes throws(HelperFailure) in try write(bytes, at: offset) }
  }

  /// The size of the file in bytes.
  var byteCount: Int { FileStatus(of: descriptor)?.byteCount ?? 0 }

  /// Fills all of `memory`.
  ///
  /// - Returns: `false` if the file ends before that.
  private func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < memory.count {
      let count = pread(
        descriptor, memory.baseAddress.map { $0 + done }, memory.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// - Parameter size: the size of the file. No memory is allocated for bytes that it does not have.
  /// - Returns: `nil` if the file is too short, or if memory cannot be allocated.
  func read(_ count: Int, at offset: Int, of size: Int) -> Bytes? {
    guard size - offset >= count else { return nil }
    do {
      return try Bytes(count: count) { memory in
        guard read(into: memory, at: offset) else { throw WireFormatError() }
      }
    } catch { return nil }
  }

  /// Sets the size of the file. Shortening it returns memory to the system.
  func cut(to count: Int) { ftruncate(descriptor, off_t(count)) }
}
