package import Bytes

/// Reads what a ``WireWriter`` wrote. What it reads may be anything: a picture may have taken over the process that wrote it.
package struct WireReader {
  private let bytes: [UInt8]
  private var place = 0
  /// What is left of the files behind the values, and where it begins.
  private var fileBytes: Int
  private var filePlace = 0
  private let readFile: (_ offset: Int, _ count: Int) -> Bytes?

  /// - Parameters:
  ///   - fileBytes: of all files together.
  ///   - readFile: reads some of them; `nil` if they cannot be had.
  package init(
    _ bytes: [UInt8], fileBytes: Int = 0,
    readFile: @escaping (_ offset: Int, _ count: Int) -> Bytes? = { _, _ in nil }
  ) {
    (self.bytes, self.fileBytes, self.readFile) = (bytes, fileBytes, readFile)
  }

  mutating func number() throws(BrokenWire) -> UInt64 {
    guard bytes.count - place >= 8 else { throw BrokenWire() }
    defer { place += 8 }
    return (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
  }

  /// A whole number within a range.
  mutating func whole(_ range: ClosedRange<Int> = 0...Int.max) throws(BrokenWire) -> Int {
    guard let number = Int(exactly: Int64(bitPattern: try number())), range.contains(number) else {
      throw BrokenWire()
    }
    return number
  }

  mutating func byte() throws(BrokenWire) -> UInt8 {
    guard place < bytes.count else { throw BrokenWire() }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func flag() throws(BrokenWire) -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw BrokenWire()
    }
  }

  mutating func fraction() throws(BrokenWire) -> Double {
    let number = Double(bitPattern: try number())
    guard number.isFinite else { throw BrokenWire() }
    return number
  }

  /// - Parameter limit: of its UTF-8.
  mutating func text(_ limit: Int = 8192) throws(BrokenWire) -> String {
    let count = try whole(0...limit)
    guard bytes.count - place >= count,
      let text = String(validating: bytes[place..<place + count], as: UTF8.self)
    else { throw BrokenWire() }
    place += count
    return text
  }

  mutating func value<Value: CaseIterable>(_: Value.Type = Value.self) throws(BrokenWire) -> Value {
    let values = Array(Value.allCases)
    let place = Int(try byte())
    guard values.indices.contains(place) else { throw BrokenWire() }
    return values[place]
  }

  mutating func optional<Value>(
    _ read: (inout WireReader) throws(BrokenWire) -> Value
  ) throws(BrokenWire) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// - Parameter limit: how many there may be.
  mutating func list<Value>(
    _ limit: Int = 4096, _ read: (inout WireReader) throws(BrokenWire) -> Value
  ) throws(BrokenWire) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try whole(0...limit)) { values.append(try read(&self)) }
    return values
  }

  mutating func file() throws(BrokenWire) -> Bytes {
    let count = try whole(0...fileBytes)
    guard let file = readFile(filePlace, count), file.count == count else { throw BrokenWire() }
    filePlace += count
    fileBytes -= count
    return file
  }

  /// Nothing may follow.
  func end() throws(BrokenWire) {
    guard place == bytes.count, fileBytes == 0 else { throw BrokenWire() }
  }
}

/// What was read is not what the other side writes.
package struct BrokenWire: Error {
  package init() {}
}
