package import Bytes

/// Reads the output of a ``WireWriter``. The data is untrusted: a picture may have
/// taken over the process that wrote it.
package struct WireReader {
  private let bytes: [UInt8]
  private var place = 0
  /// The remaining size of the files after the values, and their offset.
  private var fileBytes: Int
  private var filePlace = 0
  private let readFile: (_ offset: Int, _ count: Int) -> Bytes?

  /// - Parameters:
  ///   - fileBytes: the size of all files together.
  ///   - readFile: reads a part of the files; `nil` if it cannot.
  package init(
    _ bytes: [UInt8], fileBytes: Int = 0,
    readFile: @escaping (_ offset: Int, _ count: Int) -> Bytes? = { _, _ in nil }
  ) {
    (self.bytes, self.fileBytes, self.readFile) = (bytes, fileBytes, readFile)
  }

  mutating func number() throws -> UInt64 {
    guard bytes.count - place >= 8 else { throw WireFormatError() }
    defer { place += 8 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
  }

  /// Reads an integer within a range.
  mutating func whole(_ range: ClosedRange<Int> = 0...Int.max) throws -> Int {
    guard let number = Int(exactly: Int64(bitPattern: try number())), range.contains(number) else {
      throw WireFormatError()
    }
    return number
  }

  mutating func byte() throws -> UInt8 {
    guard place < bytes.count else { throw WireFormatError() }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads this many bytes.
  mutating func bytes(_ count: Int) throws -> [UInt8] {
    guard bytes.count - place >= count else { throw WireFormatError() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func flag() throws -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw WireFormatError()
    }
  }

  mutating func fraction() throws -> Double {
    let number = Double(bitPattern: try number())
    guard number.isFinite else { throw WireFormatError() }
    return number
  }

  /// - Parameter limit: the maximum number of UTF-8 bytes.
  mutating func text(_ limit: Int = 8192) throws -> String {
    let count = try whole(0...limit)
    guard bytes.count - place >= count,
      let text = String(validating: bytes[place..<place + count], as: UTF8.self)
    else { throw WireFormatError() }
    place += count
    return text
  }

  mutating func value<Value: CaseIterable>(_: Value.Type = Value.self) throws -> Value {
    let place = Int(try byte())
    guard let value = Value.allCases.dropFirst(place).first else { throw WireFormatError() }
    return value
  }

  mutating func set<Value: CaseIterable & Hashable>() throws -> Set<Value> {
    var (bits, values) = (try number(), Set<Value>())
    for value in Value.allCases {
      if bits & 1 == 1 { values.insert(value) }
      bits >>= 1
    }
    guard bits == 0 else { throw WireFormatError() }
    return values
  }

  mutating func optional<Value>(
    _ read: (inout WireReader) throws -> Value
  ) throws -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// - Parameter limit: the maximum number of elements.
  mutating func list<Value>(
    _ limit: Int = 4096, _ read: (inout WireReader) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try whole(0...limit)) { values.append(try read(&self)) }
    return values
  }

  mutating func file() throws -> Bytes {
    let count = try whole(0...fileBytes)
    guard let file = readFile(filePlace, count), file.count == count else {
      throw WireFormatError()
    }
    filePlace += count
    fileBytes -= count
    return file
  }

  /// Throws if any data is left.
  func end() throws {
    guard place == bytes.count, fileBytes == 0 else { throw WireFormatError() }
  }
}

/// The data does not follow the wire format.
package struct WireFormatError: Error {
  package init() {}
}
