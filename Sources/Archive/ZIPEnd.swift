import Bytes

/// The end record of an archive, which readers read first.
struct ZIPEnd {
  let count: UInt64
  /// The offset of the directory in the file.
  let offset: UInt64
  /// The size of the directory in bytes.
  let size: UInt64

  /// Whether a value does not fit in the original fields. The maximum value of a field marks that case.
  private var isLarge: Bool {
    count >= UInt16.max || offset >= UInt32.max || size >= UInt32.max
  }

  func write(to writer: inout ByteWriter) {
    if isLarge { writeLarge(to: &writer) }
    writer.append(little: 0x0605_4B50 as UInt32)
    // The archive is on a single disk, number 0.
    writer.append(little: 0 as UInt32)
    writer.append(little: UInt16(clamping: count))
    writer.append(little: UInt16(clamping: count))
    writer.append(little: UInt32(clamping: size))
    writer.append(little: UInt32(clamping: offset))
    // There is no archive comment.
    writer.append(little: 0 as UInt16)
  }

  /// Writes the record with 64-bit fields, and its locator.
  private func writeLarge(to writer: inout ByteWriter) {
    writer.append(little: 0x0606_4B50 as UInt32)
    // The size of the rest of this record.
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
