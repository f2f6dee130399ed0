import CSodium

/// Secret bytes. They are zeroed when the last reference is released, and never printed.
// Written once, before init returns; read-only until deinit.
package final class Secret: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  /// Copies `bytes`. The caller remains responsible for erasing the original.
  package init(_ bytes: [UInt8]) {
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    memory.copyBytes(from: bytes)
  }

  /// Creates a secret of random bytes.
  package init(randomBytes count: Int) {
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    Random.fill(memory)
  }

  deinit {
    if let start = memory.baseAddress { sodium_memzero(start, memory.count) }
    memory.deallocate()
  }

  /// The number of bytes.
  package var count: Int { memory.count }

  /// Calls `body` with the bytes. The pointer is valid only during the call.
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    return body(UnsafeRawBufferPointer(memory))
  }

  /// Whether the secret equals `other`. Compares in constant time.
  package func matches(_ other: [UInt8]) -> Bool {
    withUnsafeBytes { secret in other.withUnsafeBytes { constantTimeEqual(secret, $0) } }
  }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret(\(count) bytes)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
