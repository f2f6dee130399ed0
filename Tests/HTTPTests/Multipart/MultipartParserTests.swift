import Testing

@testable import HTTP

@Suite struct MultipartParserTests {
  static let boundary = "xYz"

  struct Collected: MultipartSink, Equatable {
    var parts: [Part] = []
    var isOpen = false
    struct Part: Equatable {
      let name: String
      var bytes: [UInt8] = []
    }

    mutating func beginPart(_ head: PartHead) throws(Problem) {
      #expect(!isOpen)
      parts.append(Part(name: head.name))
      isOpen = true
    }
    mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
      #expect(isOpen && !bytes.isEmpty)
      parts[parts.count - 1].bytes += Array(bytes)
    }
    mutating func endPart() throws(Problem) {
      #expect(isOpen)
      isOpen = false
    }
  }

  static func parse(
    _ pieces: [ArraySlice<UInt8>], boundary: String = boundary, maximumParts: Int = 10
  ) -> Result<[Collected.Part], Problem> {
    guard let boundary = MultipartBoundary(boundary) else { return .success([]) }
    var parser = MultipartParser(boundary: boundary, maximumParts: maximumParts)
    var collected = Collected()
    do throws(Problem) {
      for piece in pieces {
        var failure: Problem?
        piece.withUnsafeBytes { bytes in
          do throws(Problem) {
            try parser.push(bytes, into: &collected)
          } catch { failure = error }
        }
        if let failure { throw failure }
      }
      try parser.finish()
      #expect(!collected.isOpen)
      return .success(collected.parts)
    } catch {
      return .failure(error)
    }
  }

  static func head(_ name: String) -> String {
    "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
  }

  /// Bodies with the expected parts, or `nil` if the body is malformed.
  static let table: [(String, [String]?)] = [
    ("--xYz\r\n\(head("a"))one\r\n--xYz--\r\n", ["a=one"]),
    ("--xYz\r\n\(head("a"))one\r\n--xYz--", ["a=one"]),
    ("--xYz\r\n\(head("a"))\r\n--xYz--", ["a="]),
    ("--xYz\r\n\(head("a"))--xYz--", ["a="]),
    ("--xYz\r\n\(head("a"))--xY--\r\n--xYz--", ["a=--xY--"]),
    ("--xYz\r\n\(head("a"))\r\n\r\n--xYz--", ["a=\r\n"]),
    ("--xYz\r\n\(head("a"))\r\r\n\r\n--xYz--", ["a=\r\r\n"]),
    (
      "--xYz\r\n\(head("a"))\r\n-\r\n--\r\n--x\r\n--xY\r\n--xYz--", ["a=\r\n-\r\n--\r\n--x\r\n--xY"]
    ),
    ("--xYz\r\n\(head("a"))\n--xYz--\r\n--xYz--", ["a=\n--xYz--"]),
    ("--xYz\r\n\(head("a"))1--xYz\r\n--xYz--", ["a=1--xYz"]),
    ("--xYz\r\n\(head("a"))1\r\n--xYz\r\n\(head("b"))2\r\n--xYz--\r\n", ["a=1", "b=2"]),
    ("--xYz \t\r\n\(head("a"))1\r\n--xYz--  \r\n", ["a=1"]),
    ("preamble\r\n--not\r\n--xYz\r\n\(head("a"))1\r\n--xYz--\r\nepilogue --xYz\r\n", ["a=1"]),
    ("\r\n--xYz\r\n\(head("a"))1\r\n--xYz--", ["a=1"]),
    ("--xYz--", []),
    ("--xYz--\r\n--xYz\r\nnot read", []),
    ("--xYz\r\nContent-Type: text/plain\r\n\(head("a"))1\r\n--xYz--", ["a=1"]),

    ("", nil),
    ("no boundary at all", nil),
    ("--xYz", nil),
    ("--xYz-", nil),
    ("--xYz\r\n\(head("a"))one", nil),
    ("--xYz\r\n\(head("a"))one\r\n--xYz", nil),
    ("--xYz\r\n\(head("a"))one\r\n--xYz-", nil),
    ("--xYz\r\n\(head("a"))one\r\n--xYzz\r\n--xYz--", nil),
    ("--xYz garbage\r\n\(head("a"))1\r\n--xYz--", nil),
    ("--xYz-x\r\n", nil),
    ("--xYz\n\(head("a"))1\r\n--xYz--", nil),
    ("--xYz\r\r\n\(head("a"))1\r\n--xYz--", nil),
    ("--xYz\r\n\r\nno headers\r\n--xYz--", nil),
    ("--xYz\r\nContent-Disposition: form-data; name=a\n\nx\r\n--xYz--", nil),
    ("--xYz\r\nContent-Disposition: form-data; name=a\n\r\nx\r\n--xYz--", nil),
    ("--xYz\r\n Content-Disposition: form-data; name=a\r\n\r\nx\r\n--xYz--", nil),
    ("--xYz\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nx\r\n--xYz--", nil),
    ("--xYz\r\n" + String(repeating: "X: y\r\n", count: 2000) + "\(head("a"))x\r\n--xYz--", nil),
    (String(repeating: "--xYz\r\n\(head("a"))1\r\n", count: 11) + "--xYz--", nil),
  ]

  @Test func `bodies are split into parts or rejected`() {
    for (body, expected) in Self.table { expect(body, [Array(body.utf8)[...]], expected) }
  }

  @Test func `bodies that arrive byte by byte parse the same`() {
    for (body, expected) in Self.table { expect(body, Array(body.utf8).map { [$0] }, expected) }
  }

  @Test func `bodies in two pieces parse the same wherever they are split`() {
    for (body, expected) in Self.table {
      let bytes = Array(body.utf8)
      guard bytes.count < 1000 else { continue }
      for split in 0...bytes.count { expect(body, [bytes[..<split], bytes[split...]], expected) }
    }
  }

  private func expect(_ body: String, _ pieces: [ArraySlice<UInt8>], _ expected: [String]?) {
    switch Self.parse(pieces) {
    case .success(let parts):
      let found = parts.map { "\($0.name)=\(String(decoding: $0.bytes, as: UTF8.self))" }
      #expect(found == expected, "\(body.debugDescription) in \(pieces.count)")
    case .failure(let problem):
      #expect(expected == nil, "\(body.debugDescription) in \(pieces.count)")
      #expect(problem.kind == .malformedRequest)
    }
  }

  @Test func `generated bodies parse back the same however they are cut`() {
    var random = Seeded(state: 42)
    for _ in 0..<300 {
      let boundary =
        String("Aa0-'+_./:=? z".shuffled(using: &random).prefix(.random(in: 1...9, using: &random)))
        + "z"
      let delimiter = Array("\r\n--\(boundary)".utf8)
      var body = Array("--\(boundary)".utf8)
      var parts: [Collected.Part] = []
      for index in 0..<Int.random(in: 1...5, using: &random) {
        var bytes = random.bytes(upTo: 300, from: Array("\r\n-".utf8) + delimiter + [0, 255, 65])
        while bytes.firstRange(of: delimiter) != nil || bytes.starts(with: delimiter.dropFirst(2)) {
          bytes.removeFirst()
        }
        parts.append(Collected.Part(name: "p\(index)", bytes: bytes))
        body += Array("\r\n\(Self.head("p\(index)"))".utf8) + bytes + delimiter
      }
      body += Array("--\r\n".utf8)
      let whole = Self.parse([body[...]], boundary: boundary)
      #expect(whole == .success(parts))
      #expect(Self.parse(random.cut(body), boundary: boundary) == whole)
    }
  }

  @Test func `a corrupted body fails in the same way however it is cut`() {
    var random = Seeded(state: 7)
    let bodies = Self.table.map { Array($0.0.utf8) }.filter { (1..<1000).contains($0.count) }
    for _ in 0..<4000 {
      var body = bodies.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
        let index = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: body[index] = UInt8.random(in: 0...255, using: &random)
        case 1: body.remove(at: index)
        case 2:
          body.insert(Array("\r\n-;\"\\%:=\0".utf8).randomElement(using: &random) ?? 0, at: index)
        default: body.replaceSubrange(index..., with: body[..<index])
        }
      }
      let whole = Self.parse([body[...]])
      #expect(Self.parse(random.cut(body)) == whole, "\(body)")
    }
  }
}

/// A deterministic random number generator (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(upTo limit: Int, from alphabet: [UInt8]) -> [UInt8] {
    let count = Int.random(in: 0...limit, using: &self)
    return (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &self)] }
  }

  /// Splits the bytes into pieces of random size.
  mutating func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var rest = bytes[...]
    var pieces: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      pieces.append(rest.prefix(Int.random(in: 0...20, using: &self)))
      rest = rest.dropFirst(pieces.last?.count ?? 0)
    }
    return pieces
  }
}
