import Bytes

/// The end of an archive, which readers look at first.
struct ZIPEnd {
  let count: UInt64
  /// Of the directory in the file.
  let offset: UInt64
  /// The directory's, in bytes.
  let size: UInt64

  /// Whether some of it does not go into the old fields, of which the last value stands for that.
  private var isLarge: Bool {
    count >= UInt16.max || offset >= UInt32.max || size >= UInt32.max
  }

  func write(to writer: inout ByteWriter) {
    if isLarge { writeLarge(to: &writer) }
    writer.append(little: 0x0605_4B50 as UInt32)
    // One disk, the first.
    writer.append(little: 0 as UInt32)
    writer.append(little: UInt16(clamping: count))
    writer.append(little: UInt16(clamping: count))
    writer.append(little: UInt32(clamping: size))
    writer.append(little: UInt32(clamping: offset))
    // No comment.
    writer.append(little: 0 as UInt16)
  }

  /// The same in 64 bits, and where that is.
  private func writeLarge(to writer: inout ByteWriter) {
    writer.append(little: 0x0606_4B50 as UInt32)
    // What follows of it.
    writer.append(little: 44 as UInt64)
    writer.append(little: ZIPEntry.largeVersion)
    writer.append(little: ZIPEntry.largeVersion)
    writer.append(little: 0 as UInt64)
    for number in [count, count, size, offset] { writer.append(little: number) }
    writer.append(little: 0x0706_4B50 as UInt32)
    writer.append(little: 0 as UInt32)
    writer.append(little: offset + size)
    writer.append(little: 1 as UInt32)
  }
}
