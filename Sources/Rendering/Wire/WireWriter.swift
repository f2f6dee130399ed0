package import Bytes

/// Writes values one after the other, for a ``WireReader`` of the same program. Files are kept beside them.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []
  /// To be sent behind the values, in this order.
  package private(set) var files: [Bytes] = []

  package init() {}

  /// Eight bytes, the lowest first.
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

  /// The place of one of a few known values.
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
