import Bytes
import CHelpers
import Foundation
import Synchronization

/// Memory that the server writes and a helper process reads, as an unnamed file.
///
/// The server maps the beginning of the file, because a copy costs half of what a system call costs that writes. The
/// process cannot change or shorten the file: its descriptor is for reading only.
final class HelperInput: Sendable {
  /// The size of the mapped beginning, which is enough for most jobs. It is kept between jobs.
  private static let mappedBytes = 4 << 20

  /// The descriptor for the process.
  let readable: Int32
  private let descriptor: Int32
  private let state: Mutex<State>

  private struct State {
    /// The address of the mapping, because a pointer is not `Sendable`. `nil` if the system cannot allocate the memory
    /// of a file in advance.
    let mapping: UInt?
    /// The bytes at the beginning whose memory is allocated.
    var allocatedBytes = 0
    /// The size of the file in bytes.
    var byteCount = mappedBytes
  }

  init() throws(HelperFailure) {
    var readable: Int32 = -1
    descriptor = mememe_memory_file("mememe-input", &readable)
    guard descriptor >= 0 else { throw .system("memfd_create", errno) }
    self.readable = readable
    HelperMemory(descriptor: descriptor).cut(to: Self.mappedBytes)
    state = Mutex(State(mapping: Self.map(descriptor)))
  }

  deinit {
    state.withLock { state in
      if let address = state.mapping {
        munmap(UnsafeMutableRawPointer(bitPattern: address), Self.mappedBytes)
      }
    }
    close(descriptor)
    close(readable)
  }

  private static func map(_ descriptor: Int32) -> UInt? {
    #if os(Linux)
      let start = mmap(nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
      return start == MAP_FAILED ? nil : UInt(bitPattern: start)
    #else
      return nil
    #endif
  }

  /// Writes bytes at `offset`, and extends the file if necessary.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(HelperFailure) {
    try state.withLock { state throws(HelperFailure) in
      let end = offset + bytes.count
      guard end <= Self.mappedBytes, let address = state.mapping,
        let start = UnsafeMutableRawPointer(bitPattern: address)
      else {
        state.byteCount = max(state.byteCount, end)
        return try HelperMemory(descriptor: descriptor).write(bytes, at: offset)
      }
      if end > state.allocatedBytes {
        // Otherwise, a write to the mapping kills the server if the system is out of memory.
        guard mememe_allocate(descriptor, off_t(end)) == 0 else {
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
  func trim() {
    state.withLock { state in
      guard state.byteCount > Self.mappedBytes else { return }
      HelperMemory(descriptor: descriptor).cut(to: Self.mappedBytes)
      state.byteCount = Self.mappedBytes
    }
  }

  /// Returns all memory to the system.
  func clear() {
    state.withLock { state in
      let file = HelperMemory(descriptor: descriptor)
      file.cut(to: 0)
      file.cut(to: Self.mappedBytes)
      (state.allocatedBytes, state.byteCount) = (0, Self.mappedBytes)
    }
  }
}
