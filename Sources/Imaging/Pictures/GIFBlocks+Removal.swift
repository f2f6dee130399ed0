import Bytes

/// Frames that are removed before the next one is drawn.
extension GIFBlocks {
  private static let restoreBackground: UInt8 = 2

  /// The file with a transparent color for each frame that leaves a part of the screen empty when it is removed, that
  /// has none, and whose pixels leave a color unused; `nil` if there is no such frame.
  ///
  /// Browsers show nothing in the empty part. The decoder does the same only if the frame has a transparent color.
  /// Otherwise, it fills the part with the background color of the file. No pixel of the frame has the new color.
  static func clearingRemovedFrames(in file: Bytes) -> Bytes? {
    file.withUnsafeBytes { bytes in
      let colors = missingColors(in: bytes)
      guard !colors.isEmpty else { return nil }
      return Bytes(count: bytes.count) { copy in
        copy.copyMemory(from: bytes)
        for (control, color) in colors {
          copy[control] |= 1
          copy[control + 3] = color
        }
      }
    }
  }

  private struct Frame {
    /// The offset of the packed fields of its graphic control; `nil` if it has none.
    let control: Int?
    let isTransparent: Bool
    /// Whether the frame is replaced by what was there before it.
    let isUndone: Bool
    /// Whether the frame is replaced by the background.
    let isRemoved: Bool
    let columns: Range<Int>
    let rows: Range<Int>
    /// The offset of its pixels.
    let pixels: Int

    init(
      _ descriptor: UnsafeRawBufferPointer, control: Int?, pixels: Int,
      in bytes: UnsafeRawBufferPointer
    ) {
      func number(_ index: Int) -> Int {
        Int(descriptor[index]) | Int(descriptor[index + 1]) << 8
      }
      let packed = control.map { bytes[$0] } ?? 0
      (self.control, self.pixels) = (control, pixels)
      isTransparent = packed & 1 == 1
      isUndone = GIFBlocks.restoresPrevious(packed)
      isRemoved = packed >> 2 & 7 == GIFBlocks.restoreBackground
      columns = number(0)..<number(0) + number(4)
      rows = number(2)..<number(2) + number(6)
    }

    /// Whether this frame hides all of the other one, also when it is removed itself.
    func hides(_ other: Frame) -> Bool {
      !isTransparent && !isUndone
        && columns.lowerBound <= other.columns.lowerBound
        && columns.upperBound >= other.columns.upperBound
        && rows.lowerBound <= other.rows.lowerBound && rows.upperBound >= other.rows.upperBound
    }
  }

  /// - Returns: the offsets of the packed fields of graphic controls, each with a color to make transparent.
  private static func missingColors(
    in bytes: UnsafeRawBufferPointer
  ) -> [(control: Int, color: UInt8)] {
    var colors: [(control: Int, color: UInt8)] = []
    var walk = Walk(bytes: bytes)
    guard let screen = walk.take(13), walk.take(colourTableBytes(screen[10])) != nil else {
      return colors
    }
    var control: Int?
    var previous: Frame?
    while let introducer = walk.take(1)?.first {
      switch introducer {
      case extensionIntroducer:
        guard let label = walk.take(1)?.first else { return colors }
        let start = walk.index
        guard walk.skipSubBlocks() else { return colors }
        if label == graphicControl, bytes[start] == 4 { control = start + 1 }
      case imageDescriptor:
        guard let descriptor = walk.take(9), walk.take(colourTableBytes(descriptor[8])) != nil
        else { return colors }
        let frame = Frame(descriptor, control: control, pixels: walk.index, in: bytes)
        guard walk.take(1) != nil, walk.skipSubBlocks() else { return colors }
        if let previous, let place = previous.control, !previous.isTransparent,
          previous.isRemoved, !frame.hides(previous),
          let color = unusedColor(in: bytes, at: previous.pixels)
        {
          colors.append((control: place, color: color))
        }
        (control, previous) = (nil, frame)
      default: return colors
      }
    }
    return colors
  }

  /// A color that no pixel has; `nil` if all 256 occur.
  ///
  /// Each color occurs first as a code of its own (GIF89a specification, appendix F), so the strings of the other codes
  /// are not needed.
  ///
  /// - Parameter start: the offset of the pixels in a file that is not truncated there.
  private static func unusedColor(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt8? {
    let colorBits = Int(bytes[start])
    guard (1...8).contains(colorBits) else { return nil }
    guard colorBits == 8 else { return 255 }
    let (clear, end, mostCodes) = (256, 257, 4096)
    var isUsed = [Bool](repeating: false, count: 256)
    var (index, left) = (start + 1, 0)
    var (buffer, bits) = (0, 0)
    var (codeBits, nextCode, isFirst) = (9, 258, true)
    decoding: while true {
      while bits < codeBits {
        if left == 0 {
          left = Int(bytes[index])
          index += 1
          if left == 0 { break decoding }
        }
        buffer |= Int(bytes[index]) << bits
        (index, left, bits) = (index + 1, left - 1, bits + 8)
      }
      let code = buffer & (1 << codeBits - 1)
      (buffer, bits) = (buffer >> codeBits, bits - codeBits)
      switch code {
      case end: break decoding
      case clear: (codeBits, nextCode, isFirst) = (9, 258, true)
      default:
        if code < clear { isUsed[code] = true }
        if isFirst {
          isFirst = false
        } else if nextCode < mostCodes {
          nextCode += 1
          if nextCode == 1 << codeBits, codeBits < 12 { codeBits += 1 }
        }
      }
    }
    return isUsed.firstIndex(of: false).map { UInt8($0) }
  }
}
