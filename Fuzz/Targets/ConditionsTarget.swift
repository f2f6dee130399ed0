import Bytes
import HTTP

extension FuzzTarget {
  /// Conditional requests and range requests. The input is a byte with the size of the body, a byte that selects the
  /// method and the response, then one line `name:value` for each header field.
  static let conditions = FuzzTarget(name: "conditions", maximumBytes: 512) { bytes in
    var input = Input(bytes)
    let body = Bytes((0..<input.byte()).map { $0 })
    let choice = input.byte()
    var headers = Headers()
    while !input.isEmpty {
      let parts = input.line().split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
      ).map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 2, let name = HeaderName(parts[0]), let value = HeaderValue(parts[1])
      else { continue }
      headers.append(name, value)
    }
    var whole = Response(.ok, "image/jpeg", body)
    whole.headers[.etag] = choice & 1 == 0 ? "\"1.abc\"" : "W/\"1.abc\""
    if choice & 2 == 0 { whole.headers[.acceptRanges] = "bytes" }
    let head = RequestHead(
      method: choice & 4 == 0 ? .get : .head, target: try RequestTarget("/"), headers: headers,
      id: RequestID(random: 1), peer: "127.0.0.1")
    try check(Result(of: { () throws(Problem) in try whole.answering(head) }), whole, head)
    try checkParts(of: headers, body.count)
  }

  private static func check(
    _ answer: Result<Response, Problem>, _ whole: Response, _ head: RequestHead
  ) throws {
    func has(_ name: HeaderName) -> Bool { head.headers[name] != nil }
    switch answer {
    case .success(let response) where response.status == .ok:
      try require(response.body == whole.body, "the whole is whole")
      try require(response.headers[.contentRange] == nil, "and no part")
    case .success(let response) where response.status == .notModified:
      try require(has(.ifNoneMatch), "who has a copy said so")
      try require(response.headers[.etag] == whole.headers[.etag], "304 says of what")
    case .success(let response):
      try require(response.status == .partialContent && has(.range), "who gets a part asked for it")
      try require(
        head.method == .get && whole.headers[.acceptRanges] != nil, "where there are parts")
      let words = response.headers[.contentRange]?.text.split { " -/".contains($0) } ?? []
      let numbers = words.dropFirst().compactMap { Int($0) }
      try require(words.first == "bytes" && numbers.count == 3, "a part says which it is")
      try require(
        numbers[2] == whole.body.count
          && whole.body.slice(numbers[0]..<numbers[1] + 1) == response.body, "and is that")
    case .failure(let problem):
      switch problem.kind {
      case .malformedRequest, .preconditionFailed:
        try require(has(.ifMatch), "only If-Match can fail")
      case .rangeNotSatisfiable:
        try require(has(.range) && whole.headers[.acceptRanges] != nil, "only Range can be beyond")
      default: throw Violation(description: "\(problem)")
      }
    }
  }

  private static func checkParts(of headers: Headers, _ count: Int) throws {
    for text in headers.fields.map(\.value.text) {
      if let part = ByteRange(text)?.resolved(in: count) {
        try require(!part.isEmpty && part.upperBound <= count, "a part is within the whole")
      }
      if case .tags(let tags)? = EntityTagList(text) {
        try require((1...EntityTagList.maximumCount).contains(tags.count), "tags are counted")
        let written = tags.map { ($0.isWeak ? "W/" : "") + "\"\($0.opaque)\"" }
        try require(
          EntityTagList(written.joined(separator: ", ")) == .tags(tags),
          "tags are written and read the same")
        try require(zip(written, tags).allSatisfy { EntityTag($0) == $1 }, "each by itself too")
      }
      guard let value = HeaderValue(text),
        let key = try? IdempotencyKey.read(Headers([(.idempotencyKey, value)]))
      else { continue }
      let quoted = "\"\(key.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      let again = try IdempotencyKey.read(Headers([(.idempotencyKey, HeaderValue(quoted) ?? "")]))
      try require(again == key, "a key is the same with quotes and without")
    }
  }
}
