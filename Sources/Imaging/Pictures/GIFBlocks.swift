import Bytes

/// Walks the blocks of a GIF file (GIF89a specification, §§17 to 27) without decoding them.
///
/// The decoder accepts whatever frames it finds. Only the blocks show whether the file is truncated.
enum GIFBlocks {
  private static let imageDescriptor: UInt8 = 0x2C
  private static let extensionIntroducer: UInt8 = 0x21

  /// Whether the file ends inside a block. A missing trailer alone is accepted: many encoders do not write it.
  static func isTruncated(_ file: Bytes) -> Bool {
    file.withUnsafeBytes { bytes in
      var walk = Walk(bytes: bytes)
      // The signature, the version and the logical screen, whose fifth byte holds the packed fields.
      guard let packed = walk.take(13)?[10] else { return true }
      guard walk.take(colourTableBytes(packed)) != nil else { return true }
      while let introducer = walk.take(1)?.first {
        switch introducer {
        case extensionIntroducer:
          guard walk.take(1) != nil, walk.skipSubBlocks() else { return true }
        case imageDescriptor:
          guard let packed = walk.take(9)?.last, walk.take(colourTableBytes(packed)) != nil,
            walk.take(1) != nil, walk.skipSubBlocks()
          else { return true }
        // The trailer, or an unknown byte. Decoders stop at either.
        default: return false
        }
      }
      return false
    }
  }

  private static func colourTableBytes(_ packed: UInt8) -> Int {
    packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 7) + 1)
  }

  private struct Walk {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next `count` bytes, or `nil` if the file has fewer.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
      guard count <= bytes.count - index else { return nil }
      defer { index += count }
      return UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
    }

    /// - Returns: `false` if the file ends before the empty sub-block that closes the sequence.
    mutating func skipSubBlocks() -> Bool {
      while let size = take(1)?.first {
        if size == 0 { return true }
        guard take(Int(size)) != nil else { return false }
      }
      return false
    }
  }
}
