/// The checksum of ZIP and gzip (RFC 1952 §8).
enum CRC32 {
  /// What each byte does to the checksum, for the polynomial that begins with its lowest power.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xEDB8_8320 }
  }

  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~0) { sum, byte in
        sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
      }
    }
  }
}
