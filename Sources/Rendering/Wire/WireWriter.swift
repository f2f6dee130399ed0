package import Bytes

/// Writes values in sequence, for a ``WireReader`` in the same program. Collects files separately.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []
  /// The files to send after the values, in this order.
  package private(set) var files: [Bytes] = []

  /// - Parameter capacity: the expected size of the values in bytes.
  package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// Writes eight bytes, in little-endian order.
  mutating func put(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ number: Int) { put(UInt64(bitPattern: Int64(number))) }
  mutating func put(_ byte: UInt8) { bytes.append(byte) }
  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
  mutating func put(_ number: Double) { put(number.bitPattern) }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes the index of a value among all cases.
  mutating func put<Value: CaseIterable & Equatable>(_ value: Value) {
    var place: UInt8 = 0
    for other in Value.allCases {
      if other == value { break }
      place += 1
    }
    put(place)
  }

  /// Writes a bit for each case, which says whether the set has it.
  mutating func put<Value: CaseIterable>(_ values: Set<Value>) {
    var (bits, bit): (UInt64, UInt64) = (0, 1)
    for value in Value.allCases {
      if values.contains(value) { bits |= bit }
      bit <<= 1
    }
    put(bits)
  }

  mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }

  mutating func put<Value>(
    _ values: some Collection<Value>, _ write: (inout WireWriter, Value) -> Void
  ) {
    put(values.count)
    for value in values { write(&self, value) }
  }

  mutating func put(file: Bytes) {
    put(file.count)
    files.append(file)
  }
}
