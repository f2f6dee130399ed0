import Bytes

/// Walks the blocks of a GIF file (GIF89a specification, §§17 to 27) without decoding them.
///
/// The decoder accepts whatever frames it finds. Only the blocks show whether the file is truncated.
enum GIFBlocks {
  static let imageDescriptor: UInt8 = 0x2C
  static let extensionIntroducer: UInt8 = 0x21
  static let graphicControl: UInt8 = 0xF9
  /// A frame with one transparent pixel, in the upper left corner.
  private static let transparentFrame: [UInt8] = [
    // Its control: 4 bytes, of which the first says that color 0 is transparent.
    extensionIntroducer, graphicControl, 4, 1, 0, 0, 0, 0,
    // Left, top, width and height, and a table of two colors.
    imageDescriptor, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0,
    // The codes: clear, color 0 and end, in 3 bits each.
    2, 2, 0x44, 1, 0,
  ]

  /// The file as the decoder must read it, and whether it has one frame more; `nil` if the decoder can read the file
  /// itself.
  static func repaired(_ file: Bytes) -> (file: Bytes, isExtended: Bool)? {
    let cleared = clearingRemovedFrames(in: file)
    if let extended = addingTransparentFrame(to: cleared ?? file) { return (extended, true) }
    return cleared.map { ($0, false) }
  }

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

  /// The file with a transparent frame at its end, if its first frame leaves a part of the screen empty, or is removed
  /// before the second one, and no frame has transparent pixels; `nil` for all other files.
  ///
  /// Browsers show nothing in the empty part. The decoder gives the picture an alpha channel only if a frame has
  /// transparent pixels. Otherwise, the part is black.
  static func addingTransparentFrame(to file: Bytes) -> Bytes? {
    file.withUnsafeBytes { bytes in
      guard let end = endOfFramesWithGap(bytes) else { return nil }
      var writer = ByteWriter(capacity: bytes.count + transparentFrame.count)
      writer.append(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      for byte in transparentFrame { writer.append(byte) }
      writer.append(UnsafeRawBufferPointer(rebasing: bytes[end...]))
      return writer.finish()
    }
  }

  /// - Returns: the offset behind the last frame; `nil` if a frame has transparent pixels, or the first one leaves no
  ///   gap.
  private static func endOfFramesWithGap(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var walk = Walk(bytes: bytes)
    guard let screen = walk.take(13), walk.take(colourTableBytes(screen[10])) != nil else {
      return nil
    }
    var (isFirst, restoresPrevious) = (true, false)
    while let introducer = walk.take(1)?.first {
      switch introducer {
      case extensionIntroducer:
        guard let label = walk.take(1)?.first else { return nil }
        let start = walk.index
        guard walk.skipSubBlocks() else { return nil }
        guard label == graphicControl, bytes[start] == 4 else { continue }
        let packed = bytes[start + 1]
        if packed & 1 == 1 { return nil }
        restoresPrevious = self.restoresPrevious(packed)
      case imageDescriptor:
        guard let frame = walk.take(9), walk.take(colourTableBytes(frame[8])) != nil,
          walk.take(1) != nil, walk.skipSubBlocks()
        else { return nil }
        if isFirst, !restoresPrevious, covers(frame, screen) { return nil }
        isFirst = false
      default: return isFirst ? nil : walk.index - 1
      }
    }
    return isFirst ? nil : walk.index
  }

  /// Whether a frame begins at the upper left corner of the screen and is as large.
  private static func covers(
    _ frame: UnsafeRawBufferPointer, _ screen: UnsafeRawBufferPointer
  ) -> Bool {
    func number(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
      Int(bytes[index]) | Int(bytes[index + 1]) << 8
    }
    return number(frame, 0) == 0 && number(frame, 2) == 0
      && number(frame, 4) >= number(screen, 6) && number(frame, 6) >= number(screen, 8)
  }

  /// Whether the screen is as before a frame after it. Some encoders write 4 for this, and decoders accept it.
  static func restoresPrevious(_ packed: UInt8) -> Bool { [3, 4].contains(packed >> 2 & 7) }

  static func colourTableBytes(_ packed: UInt8) -> Int {
    packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 7) + 1)
  }

  /// A position in a file.
  struct Walk {
    let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

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
