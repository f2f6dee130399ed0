import Bytes
import CHelpers
import Foundation
import Synchronization

/// Memory that the server writes and a helper process reads, as an unnamed file.
///
/// The server maps the beginning of the file, because copying into a mapping costs less than writing by system calls
/// (docs/decisions/0073). A write to a mapping ends the server if the file is shorter or has no memory. So the process
/// gets a descriptor that only reads, the file is sealed against shortening, and its memory is allocated before.
final class HelperInput: Sendable {
  /// The size of the mapped beginning, which is enough for most jobs. The file is never shorter.
  private static let mappedBytes = 4 << 20

  private let file: HelperMemory
  private let state: Mutex<State>

  private struct State {
    /// The address of the mapping, because a pointer is not `Sendable`. `nil` if the system cannot keep the file's size
    /// or allocate its memory in advance.
    let mapping: UInt?
    /// The bytes at the beginning whose memory is allocated.
    var allocatedBytes = 0
    /// The end of the bytes that were written since the last ``trim()``.
    var writtenBytes = 0
  }

  init() throws(HelperFailure) {
    let descriptor = mememe_memory_file("mememe-input", 1)
    guard descriptor >= 0 else { throw .system("memory file", errno) }
    file = HelperMemory(descriptor: descriptor)
    file.cut(to: Self.mappedBytes)
    state = Mutex(State(mapping: Self.map(descriptor)))
  }

  deinit {
    state.withLock { state in
      if let address = state.mapping {
        munmap(UnsafeMutableRawPointer(bitPattern: address), Self.mappedBytes)
      }
    }
    close(file.descriptor)
  }

  /// Opens a descriptor for the process, which the caller closes once the process has it.
  func openReader() throws(HelperFailure) -> Int32 {
    let reader = mememe_open_reader(file.descriptor)
    guard reader >= 0 else { throw .system("open of the memory file", errno) }
    return reader
  }

  private static func map(_ descriptor: Int32) -> UInt? {
    guard mememe_keep_size(descriptor) == 0 else { return nil }
    let start = mmap(nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return start == MAP_FAILED ? nil : UInt(bitPattern: start)
  }

  /// Writes bytes at `offset`, and extends the file if necessary.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(HelperFailure) {
    try state.withLock { state throws(HelperFailure) in
      let end = offset + bytes.count
      state.writtenBytes = max(state.writtenBytes, end)
      guard end <= Self.mappedBytes, let address = state.mapping,
        let start = UnsafeMutableRawPointer(bitPattern: address)
      else { return try file.write(bytes, at: offset) }
      if end > state.allocatedBytes {
        guard mememe_allocate(file.descriptor, off_t(end)) == 0 else {
          throw .system("fallocate", errno)
        }
        state.allocatedBytes = end
      }
      UnsafeMutableRawBufferPointer(start: start + offset, count: bytes.count)
        .copyMemory(from: bytes)
    }
  }

  func write(_ bytes: Bytes, at offset: Int) throws(HelperFailure) {
    try bytes.withUnsafeBytes { bytes throws(HelperFailure) in try write(bytes, at: offset) }
  }

  /// Returns the memory of a large job to the system.
  func trim() throws(HelperFailure) {
    try state.withLock { state throws(HelperFailure) in
      if state.writtenBytes > Self.mappedBytes { try free(from: Self.mappedBytes) }
      state.writtenBytes = 0
    }
  }

  /// Returns all memory to the system.
  func clear() throws(HelperFailure) {
    try state.withLock { state throws(HelperFailure) in
      try free(from: 0)
      (state.allocatedBytes, state.writtenBytes) = (0, 0)
    }
  }

  private func free(from offset: Int) throws(HelperFailure) {
    guard mememe_free_from(file.descriptor, off_t(offset)) == 0 else {
      throw .system("fallocate", errno)
    }
    // Only if the system has shortened the file.
    if file.byteCount < Self.mappedBytes { file.cut(to: Self.mappedBytes) }
  }
}
