import Bytes

/// A parser of untrusted bytes, with the properties that must hold for every input.
///
/// Fuzzers call ``check`` with generated inputs. The tests call it with the inputs in the corpus.
struct FuzzTarget: Sendable {
  /// Also the name of the target's folder in `Fuzz/Corpora`.
  let name: String
  /// Longer inputs are not useful for this target.
  let maximumBytes: Int
  /// - Throws: ``Violation`` if a property does not hold.
  let check: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .multipart, .form, .edit, .parameters, .target, .cursor, .framing, .negotiation, .conditions,
    .json, .gif, .jpeg, .picture, .values, .tus, .list, .reply, .xml, .signIn,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A property that does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: ``Violation`` if `condition` is false.
func require(
  _ condition: @autoclosure () throws -> Bool, _ property: @autoclosure () -> String
) throws {
  guard try condition() else { throw Violation(description: property()) }
}

extension Result {
  /// The result of `body`. The standard library's initializer loses the type of the error if a closure makes two calls.
  init(of body: () throws(Failure) -> Success) {
    do throws(Failure) { self = .success(try body()) } catch { self = .failure(error) }
  }
}

/// Splits the bytes of a fuzzer into the values that a target needs. After the last byte, all values are zero or empty.
struct Input {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next eight bytes, in big-endian order.
  mutating func integer() -> Int64 {
    (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
  }

  /// Reads a count from the next byte, then that number of bytes.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a count from the next byte, then that number of bytes as UTF-8. Invalid sequences are replaced.
  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The bytes before the next line feed. Drops the line feed.
  mutating func line() -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest.dropFirst(line.count + 1)
    return line
  }
}

extension Array where Element == UInt8 {
  /// Splits the bytes into pieces, some of them empty, whose sizes depend on `seed`. Each piece has its own allocation,
  /// so that the address sanitizer detects accesses past its end.
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
