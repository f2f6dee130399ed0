import HTTP

@testable import HTTPDaemon

extension FuzzTarget {
  /// The head of a request. The input is a line `method target version`, then one line `name:value` for each field.
  static let framing = FuzzTarget(name: "framing", maximumBytes: 1024) { bytes in
    var input = Input(bytes)
    let start = input.line().split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard start.count == 3 else { return }
    var fields: [RawHead.Field] = []
    while !input.isEmpty {
      let parts = input.line().split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { String(decoding: $0, as: UTF8.self) }
      fields.append(RawHead.Field(name: texts[0], value: texts.count > 1 ? texts[1] : ""))
    }
    let head: CheckedHead
    do throws(Problem) { head = try check(start, fields) } catch {
      let kinds: [ProblemKind] = [
        .malformedRequest, .notImplemented, .uriTooLong, .headerTooLarge, .expectationFailed,
      ]
      try require(kinds.contains(error.kind), "a bad head is the client's fault")
      return
    }
    try check(head, version: start[2])

    let names = head.headers.fields.map(\.name.text)
    try require(names == fields.map { $0.name.lowercased() }, "every field comes through, in order")
    let again = try check(
      start, head.headers.fields.reversed().map { .init(name: $0.name.text, value: $0.value.text) })
    try require(again.framing == head.framing, "the order of fields changes no framing")
    try require(
      again.headers.fields.reversed().map(\.value) == head.headers.fields.map(\.value),
      "what passed passes again, the same")
  }

  private static func check(
    _ start: [String], _ fields: [RawHead.Field]
  ) throws(Problem) -> CheckedHead {
    try FramingGate.check(
      RawHead(
        method: start[0], version: start[2], target: start[1], fields: fields, byteCount: 100),
      maximumBytes: 32 << 10)
  }

  private static func check(_ head: CheckedHead, version: String) throws {
    let hosts = head.headers.all(.host).count
    try require(hosts == 1 || hosts == 0 && version == "HTTP/1.0", "there is one Host")
    let codings = head.headers.all(.transferEncoding), lengths = head.headers.all(.contentLength)
    try require(codings.isEmpty || lengths.isEmpty, "a body's end is known in one way")
    try require(codings.count <= 1 && lengths.count <= 1, "and said once")
    switch head.framing {
    case .chunked:
      try require(codings.first?.text.lowercased() == "chunked", "chunks are announced")
      try require(version == "HTTP/1.1", "chunks are of HTTP/1.1")
    case .length(let count):
      try require(count > 0, "no body is none")
      let digits = lengths.first?.text.drop { $0 == "0" }
      try require(digits == "\(count)", "a length is digits")
    case .none:
      try require(codings.isEmpty, "a coding frames a body")
      try require(lengths.allSatisfy { $0.text.allSatisfy { $0 == "0" } }, "a length does too")
      try require(!head.expectsContinue, "no body is waited for")
    }
    for field in head.headers.fields {
      try require(HeaderValue(field.value.text) == field.value, "a value has no control character")
      try require(HeaderName(field.name.text) == field.name, "a name is a token in lower case")
    }
  }
}
