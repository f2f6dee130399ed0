import Bytes

/// Walks the outer boxes of an AVIF or HEIC file (ISO/IEC 14496-12 §4.2).
///
/// libheif 1.19, the version in Debian 13, terminates the process if a file is truncated.
enum HEIFBoxes {
  /// Whether the file ends inside a box.
  static func isTruncated(_ file: Bytes) -> Bool {
    file.withUnsafeBytes { bytes in
      var index = 0
      while bytes.count - index >= 8 {
        var (count, headBytes) = (number(bytes, at: index, bytes: 4), UInt64(8))
        // The box extends to the end of the file.
        if count == 0 { return false }
        if count == 1 {
          guard bytes.count - index >= 16 else { return true }
          (count, headBytes) = (number(bytes, at: index + 8, bytes: 8), 16)
        }
        guard count >= headBytes, count <= UInt64(bytes.count - index) else { return true }
        index += Int(count)
      }
      return false
    }
  }

  private static func number(
    _ bytes: UnsafeRawBufferPointer, at index: Int, bytes count: Int
  ) -> UInt64 {
    bytes[index..<index + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
