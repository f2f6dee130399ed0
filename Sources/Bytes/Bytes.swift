import Foundation

/// Immutable, reference-counted bytes that are shared without copying.
///
/// A picture travels from SQLite or its encoder to the socket as a single `Bytes` value. The code that allocates the
/// memory also provides the function that frees it. That function runs when the last value that refers to the memory is
/// destroyed. Safe to use from any thread.
package struct Bytes: Sendable {
  private let owner: Owner
  private let offset: Int

  /// The number of bytes.
  package let count: Int

  package var isEmpty: Bool { count == 0 }

  private init(owner: Owner, offset: Int, count: Int) {
    (self.owner, self.offset, self.count) = (owner, offset, count)
  }

  /// Creates an empty value.
  package init() { self.init(owner: .empty, offset: 0, count: 0) }

  /// Copies `source`, which should be small, into newly allocated memory.
  package init(copying source: UnsafeRawBufferPointer) {
    guard !source.isEmpty else {
      self.init()
      return
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: source.count, alignment: MemoryLayout<UInt64>.alignment)
    memory.copyMemory(from: source)
    self.init(owning: memory) { $0.deallocate() }
  }

  /// Copies the bytes of `array`.
  package init(_ array: [UInt8]) {
    self = array.withUnsafeBytes { Bytes(copying: $0) }
  }

  /// Copies the UTF-8 of `text`.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Bytes(copying: UnsafeRawBufferPointer($0)) }
  }

  /// Allocates `count` bytes, which `fill` must initialize entirely. Use it for data that may be large.
  ///
  /// - Returns: `nil` if the allocation fails.
  package init?<Failure: Error>(
    count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard count > 0 else {
      self.init()
      return
    }
    // `allocate(byteCount:alignment:)` would terminate the process instead.
    guard let start = malloc(count) else { return nil }
    let memory = UnsafeMutableRawBufferPointer(start: start, count: count)
    // The owner frees the memory, even if `fill` throws.
    let bytes = Bytes(owning: memory) { free($0.baseAddress) }
    try fill(memory)
    self = bytes
  }

  private init(
    owning memory: UnsafeMutableRawBufferPointer,
    free: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    // Used only to free the memory, which the owner does exactly once, in its deinit, on any thread.
    nonisolated(unsafe) let memory = memory
    self.init(adopting: UnsafeRawBufferPointer(memory)) { free(memory) }
  }

  /// Takes ownership of allocated memory. Its first `count` bytes are initialized.
  init(allocated memory: UnsafeMutableRawBufferPointer, count: Int) {
    let owner = Owner(memory: UnsafeRawBufferPointer(memory), free: nil)
    self.init(owner: owner, offset: 0, count: count)
  }

  /// Takes ownership of memory that other code allocated.
  ///
  /// - Parameters:
  ///   - memory: must stay allocated and unchanged until `free` is called.
  ///   - free: called once, on the thread that releases the last reference.
  ///   - isFile: whether the memory is a mapped file, which the system can take back and read again.
  package init(
    adopting memory: UnsafeRawBufferPointer, isFile: Bool = false,
    free: @escaping @Sendable () -> Void
  ) {
    let owner = Owner(memory: memory, isFile: isFile, free: free)
    self.init(owner: owner, offset: 0, count: memory.count)
  }

  /// Whether the bytes are a mapped file.
  package var isFile: Bool { owner.isFile }

  /// Calls `body` with the bytes. The pointer is valid only during the call.
  package func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(owner) {} }
    return try body(UnsafeRawBufferPointer(rebasing: owner.memory[offset..<offset + count]))
  }

  /// The bytes of `range` (relative to the first byte of `self`), sharing the same memory.
  ///
  /// - Returns: `nil` if the range is out of bounds.
  package func slice(_ range: Range<Int>) -> Bytes? {
    guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
    return Bytes(owner: owner, offset: offset + range.lowerBound, count: range.count)
  }

  /// The same bytes in the same memory. The result also keeps `companion` alive.
  package func keeping(_ companion: some Sendable) -> Bytes {
    let memory = UnsafeRawBufferPointer(rebasing: owner.memory[offset..<offset + count])
    return Bytes(adopting: memory, isFile: isFile) { withExtendedLifetime((self, companion)) {} }
  }

  /// The bytes as UTF-8 text, or `nil` if they are not valid UTF-8.
  package var utf8Text: String? {
    withUnsafeBytes { String(validating: $0, as: UTF8.self) }
  }
}

extension Bytes: Equatable {
  package static func == (left: Bytes, right: Bytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return memcmp(left, start, right.count) == 0
      }
    }
  }
}

extension Bytes {
  /// Hands the memory to C code that frees it through a callback.
  ///
  /// - Returns: the address of the first byte, and a handle that keeps the memory alive. Pass the handle to
  ///   ``release(_:)`` exactly once.
  package func retained() -> (start: UnsafeRawPointer?, handle: UnsafeMutableRawPointer) {
    let start = owner.memory.baseAddress.map { $0 + offset }
    return (start, Unmanaged.passRetained(owner).toOpaque())
  }

  /// Releases the handle that ``retained()`` returned.
  package static func release(_ handle: UnsafeMutableRawPointer) {
    Unmanaged<Owner>.fromOpaque(handle).release()
  }
}

// The memory is filled before another thread can have a reference to the owner, and does not change afterwards. The
// caller of Bytes(adopting:) ensures this for memory of its own. The memory is freed once, in deinit.
private final class Owner: @unchecked Sendable {
  static let empty = Owner(memory: UnsafeRawBufferPointer(start: nil, count: 0), free: nil)

  let memory: UnsafeRawBufferPointer
  let isFile: Bool
  /// `nil` if Swift allocated the memory.
  private let free: (@Sendable () -> Void)?

  init(memory: UnsafeRawBufferPointer, isFile: Bool = false, free: (@Sendable () -> Void)?) {
    (self.memory, self.isFile, self.free) = (memory, isFile, free)
  }

  deinit {
    if let free { free() } else { memory.deallocate() }
  }
}
