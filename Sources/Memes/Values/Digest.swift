package import Bytes

/// A SHA-256 digest: 32 bytes.
package struct Digest: Hashable, Sendable {
  // Stored inline: an array would need an allocation for each of a meme's files. Uses words of 8 bytes: with
  // types of a larger alignment (SIMD32, UInt128), debug builds of Swift 6.3.1 crashed in asynchronous code. The
  // reason is unknown.
  private var storage = Storage()

  private struct Storage: Hashable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
  }

  /// - Returns: `nil` unless there are exactly 32 bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init { $0.copyMemory(from: bytes) }
  }

  /// - Returns: `nil` unless there are exactly 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard let digest = bytes.withUnsafeBytes({ Digest($0) }) else { return nil }
    self = digest
  }

  /// - Parameter fill: writes the 32 bytes.
  package init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
    withUnsafeMutableBytes(of: &storage, fill)
  }

  package static let byteCount = 32

  package var bytes: [UInt8] { withUnsafeBytes(of: storage) { Array($0) } }

  /// The digest as 64 lowercase hexadecimal digits.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
      withUnsafeBytes(of: storage) { bytes in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = Hexadecimal.digit(byte >> 4)
          text[2 * index + 1] = Hexadecimal.digit(byte & 15)
        }
      }
      return 2 * Self.byteCount
    }
  }
}

extension Digest {
  /// The digest of a list of texts. Each text is prefixed with its length, so that different lists
  /// give different input.
  package init(of parts: [String], _ digest: Digester) {
    self = digest(Bytes(parts.map { "\($0.utf8.count):\($0)" }.joined()))
  }
}

/// Computes the SHA-256 digest (FIPS 180-4) of bytes. Safe to call from any thread.
package typealias Digester = @Sendable (Bytes) -> Digest
