package import Bytes

/// Writes values in sequence, for a ``WireReader`` in the same program. Collects files separately.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []
  /// The files to send after the values, in this order.
  package private(set) var files: [Bytes] = []

  package init() {}

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
    let place = Value.allCases.enumerated().first { $0.element == value }?.offset ?? 0
    put(UInt8(clamping: place))
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
