import Bytes

@testable import HTTP

extension FuzzTarget {
  /// A multipart body. The first byte selects the chunk sizes, the second the boundary, and the rest is the body.
  static let multipart = FuzzTarget(name: "multipart", maximumBytes: 4096) { bytes in
    var input = Input(bytes)
    let seed = input.byte()
    let boundaries = ["xYz", "-", "--", "a b'()+_,-./:=?", String(repeating: "0", count: 70)]
    guard let boundary = MultipartBoundary(boundaries[Int(input.byte()) % boundaries.count]) else {
      throw Violation(description: "a good boundary is refused")
    }
    let body = Array(input.rest)
    let whole = Gathered.parse([Bytes(body)], boundary)
    try require(
      Gathered.parse(body.map { Bytes([$0]) }, boundary) == whole, "the same byte by byte")
    try require(Gathered.parse(body.cut(by: seed), boundary) == whole, "the same in any pieces")
    switch whole {
    case .failure(let problem):
      try require(problem.kind == .malformedRequest, "a broken body is 400")
    case .success(let gathered):
      try require(!gathered.isOutOfOrder, "a part begins, receives and ends in this order")
      try require(gathered.parts.count <= Gathered.maximumParts, "parts are counted")
      try require(gathered.isFound(in: body), "contents stand in the body, in order")
      let again = Gathered.parse([Bytes(gathered.composed(boundary))], boundary)
      try require(again == whole, "what was taken apart is put together and comes apart the same")
    }
  }
}

/// Records the calls that a parser makes to its sink.
private struct Gathered: MultipartSink, Equatable {
  static let maximumParts = 5

  struct Part: Equatable {
    let name: String
    var content: [UInt8] = []
  }

  private(set) var parts: [Part] = []
  private(set) var isOutOfOrder = false
  private var isOpen = false

  static func parse(
    _ pieces: [Bytes], _ boundary: MultipartBoundary
  ) -> Result<Gathered, Problem> {
    var parser = MultipartParser(boundary: boundary, maximumParts: maximumParts)
    var gathered = Gathered()
    do throws(Problem) {
      for piece in pieces {
        try piece.withUnsafeBytes { bytes throws(Problem) in
          try parser.push(bytes, into: &gathered)
        }
      }
      try parser.finish()
    } catch {
      return .failure(error)
    }
    if gathered.isOpen { gathered.isOutOfOrder = true }
    return .success(gathered)
  }

  mutating func beginPart(_ head: PartHead) throws(Problem) {
    if isOpen { isOutOfOrder = true }
    isOpen = true
    parts.append(Part(name: head.name))
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    guard isOpen, !bytes.isEmpty else {
      isOutOfOrder = true
      return
    }
    parts[parts.count - 1].content += Array(bytes)
  }

  mutating func endPart() throws(Problem) {
    if !isOpen { isOutOfOrder = true }
    isOpen = false
  }

  func isFound(in body: [UInt8]) -> Bool {
    var rest = body[...]
    for part in parts where !part.content.isEmpty {
      guard let found = rest.firstRange(of: part.content) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  /// Composes a body of these parts, with names escaped as browsers do.
  func composed(_ boundary: MultipartBoundary) -> [UInt8] {
    var body: [UInt8] = []
    for part in parts {
      let name = part.name
        .replacing("\\", with: "\\\\").replacing("\"", with: "%22")
        .replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      body += "--\(boundary.text)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8
      body += part.content + Array("\r\n".utf8)
    }
    return body + Array("--\(boundary.text)--".utf8)
  }
}
