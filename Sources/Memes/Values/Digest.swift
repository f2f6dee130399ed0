package import Bytes

/// A SHA-256 digest: 32 bytes.
package struct Digest: Hashable, Sendable {
  package let bytes: [UInt8]

  /// - Returns: `nil` where there are not 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// - Parameter fill: writes the 32 bytes.
  package init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 32)
    bytes.withUnsafeMutableBytes(fill)
    self.bytes = bytes
  }

  /// The digest as 64 hexadecimal digits in lower case.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 64) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return 64
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
