import Bytes

/// One reader of untrusted bytes, and what must be true of it whatever the bytes are.
///
/// A fuzzer calls ``check`` with what it makes up, the tests call it with what fuzzers found worth keeping.
struct FuzzTarget: Sendable {
  /// Also the name of its folder in `Fuzz/Corpora`.
  let name: String
  /// Longer inputs are worth nothing here.
  let maximumBytes: Int
  /// - Throws: ``Violation`` where something is not as it must be.
  let check: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .multipart, .form, .edit, .parameters, .target, .cursor, .framing, .negotiation, .conditions,
    .json, .gif, .jpeg, .picture, .values, .tus, .list, .reply,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: ``Violation`` where `condition` is false.
func require(
  _ condition: @autoclosure () throws -> Bool, _ property: @autoclosure () -> String
) throws {
  guard try condition() else { throw Violation(description: property()) }
}

extension Result {
  /// What `body` gave or threw. The library's own initializer loses the type of the error in a closure of two calls.
  init(of body: () throws(Failure) -> Success) {
    do throws(Failure) { self = .success(try body()) } catch { self = .failure(error) }
  }
}

/// The bytes of a fuzzer, taken apart into what a target needs. Once they are all taken, what comes is zero or empty.
struct Input {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next eight bytes.
  mutating func integer() -> Int64 {
    (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
  }

  /// As many bytes as the next byte says.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// As many bytes as the next byte says, with what is not UTF-8 replaced.
  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// What comes before the next line feed, which is dropped.
  mutating func line() -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest.dropFirst(line.count + 1)
    return line
  }
}

extension Array where Element == UInt8 {
  /// The same bytes in pieces, some of them empty, whose sizes follow from `seed`. Each is in memory of its own, so that the
  /// address sanitizer sees a step over its end.
  func cut(by seed: UInt8) -> [Bytes] {
    var state = UInt32(seed) &+ 1
    var rest = self[...]
    var pieces: [Bytes] = []
    while !rest.isEmpty {
      state = state &* 1_664_525 &+ 1_013_904_223
      let count = Int(state >> 24) % 23
      pieces.append(Bytes(Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}
