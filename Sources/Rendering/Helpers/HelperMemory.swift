import Bytes
import CHelpers
import Foundation

/// Memory that the server and a process that draws share, as a file without a name. The server reads and writes it by calls and
/// never maps it: bytes that it has read are its own, and stay as they are.
package struct HelperMemory: Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  init(named name: String) throws(HelperFailure) {
    descriptor = mememe_memory_file(name)
    if descriptor < 0 { throw .system("memfd_create", errno) }
  }

  /// Writes bytes from `offset` on, and makes the file as long as that takes.
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

  /// Reads all of `memory`.
  ///
  /// - Returns: `false` if the file ends before.
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
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

  /// - Returns: `nil` if the file ends before, or there is no memory.
  func read(_ count: Int, at offset: Int) -> Bytes? {
    guard let size = FileStatus(of: descriptor)?.byteCount, size - offset >= count else {
      return nil
    }
    do throws(BrokenWire) {
      return try Bytes(count: count) { memory throws(BrokenWire) in
        guard read(into: memory, at: offset) else { throw BrokenWire() }
      }
    } catch { return nil }
  }

  /// Makes the file so long: what was behind is given back to the system.
  func cut(to count: Int) { ftruncate(descriptor, off_t(count)) }

  /// The same if it is longer.
  func trim(to count: Int) {
    if let size = FileStatus(of: descriptor)?.byteCount, size > count { cut(to: count) }
  }
}
