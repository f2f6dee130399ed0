package import Bytes

/// A SHA-256 digest: 32 bytes.
package struct Digest: Hashable, Sendable {
  // In place: an array would be an allocation for each of a meme's files. In words of 8 bytes: what is aligned to more, a
  // SIMD32 or two UInt128, had Swift 6.3.1 overwrite memory where digests go through asynchronous code.
  private var storage = Storage()

  private struct Storage: Hashable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
  }

  /// - Returns: `nil` where there are not 32 bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init { $0.copyMemory(from: bytes) }
  }

  /// - Returns: `nil` where there are not 32 bytes.
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

  /// The digest as 64 hexadecimal digits in lower case.
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
  /// The digest of a list of texts. Each goes with its length, so that no two lists read the same.
  package init(of parts: [String], _ digest: Digester) {
    self = digest(Bytes(parts.map { "\($0.utf8.count):\($0)" }.joined()))
  }
}

/// Computes SHA-256 (FIPS 180-4) of some bytes. Safe to call from any thread.
package typealias Digester = @Sendable (Bytes) -> Digest
