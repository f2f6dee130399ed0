import Bytes

/// A file in an archive. It is described before its content and in the directory at the end.
struct ZIPEntry {
  /// The version that a reader must support: 2.0 for folders, 4.5 for 64-bit fields.
  static let (version, largeVersion): (UInt16, UInt16) = (20, 45)
  /// Marks the name as UTF-8.
  private static let flags: UInt16 = 1 << 11

  let name: String
  let nameLength: UInt16
  let date: ZIPDate
  let checksum: UInt32
  let size: UInt32
  /// The offset of the header in the file.
  let offset: UInt64

  /// Whether the offset does not fit in 32 bits. The maximum value of the field marks that case.
  private var isFar: Bool { offset >= UInt32.max }

  func writeHeader(to writer: inout ByteWriter) {
    writer.append(little: 0x0403_4B50 as UInt32)
    writeFacts(Self.version, extraLength: 0, to: &writer)
    writer.append(name)
  }

  func writeDirectory(to writer: inout ByteWriter) {
    writer.append(little: 0x0201_4B50 as UInt32)
    writer.append(little: Self.largeVersion)
    writeFacts(isFar ? Self.largeVersion : Self.version, extraLength: isFar ? 12 : 0, to: &writer)
    // No comment, disk 0, no attributes.
    for _ in 0..<3 { writer.append(little: 0 as UInt16) }
    writer.append(little: 0 as UInt32)
    writer.append(little: UInt32(clamping: offset))
    writer.append(name)
    guard isFar else { return }
    writer.append(little: 1 as UInt16)
    writer.append(little: 8 as UInt16)
    writer.append(little: offset)
  }

  /// Writes the fields that both headers have in common.
  private func writeFacts(_ version: UInt16, extraLength: UInt16, to writer: inout ByteWriter) {
    writer.append(little: version)
    writer.append(little: Self.flags)
    // Method 0: stored without compression.
    writer.append(little: 0 as UInt16)
    writer.append(little: date.time)
    writer.append(little: date.day)
    writer.append(little: checksum)
    writer.append(little: size)
    writer.append(little: size)
    writer.append(little: nameLength)
    writer.append(little: extraLength)
  }
}

extension ByteWriter {
  /// Appends a number in little-endian order.
  mutating func append(little number: some FixedWidthInteger & UnsignedInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append($0) }
  }
}
