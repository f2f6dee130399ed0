import Bytes

/// A file of an archive, as it is told of before its content and in the directory at the end.
struct ZIPEntry {
  /// What a reader must know: folders, or fields of 64 bits.
  static let (version, largeVersion): (UInt16, UInt16) = (20, 45)
  /// The name is UTF-8.
  private static let flags: UInt16 = 1 << 11

  let name: String
  let nameLength: UInt16
  let date: ZIPDate
  let checksum: UInt32
  let size: UInt32
  /// Of the header in the file.
  let offset: UInt64

  /// Whether the place does not go into 32 bits, of which the last value stands for that.
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
    // No comment, the first disk, no attributes.
    for _ in 0..<3 { writer.append(little: 0 as UInt16) }
    writer.append(little: 0 as UInt32)
    writer.append(little: UInt32(clamping: offset))
    writer.append(name)
    guard isFar else { return }
    writer.append(little: 1 as UInt16)
    writer.append(little: 8 as UInt16)
    writer.append(little: offset)
  }

  /// What both have in common.
  private func writeFacts(_ version: UInt16, extraLength: UInt16, to writer: inout ByteWriter) {
    writer.append(little: version)
    writer.append(little: Self.flags)
    // Stored as it is.
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
  /// Appends a number, its lowest byte first.
  mutating func append(little number: some FixedWidthInteger & UnsignedInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append($0) }
  }
}
