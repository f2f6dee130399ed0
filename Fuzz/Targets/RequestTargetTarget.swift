import HTTP

extension FuzzTarget {
  /// The target of a request: its path and query.
  static let target = FuzzTarget(name: "target", maximumBytes: 1024) { bytes in
    let raw = String(decoding: bytes, as: UTF8.self)
    let target: RequestTarget
    do throws(Problem) { target = try RequestTarget(raw) } catch {
      try require(
        [.malformedRequest, .uriTooLong].contains(error.kind), "a bad target is 400 or 414")
      return
    }
    try require(target.raw == raw, "it is kept as it was sent")
    let texts = target.segments + target.query.flatMap { [$0.name, $0.value] }
    try require(texts.allSatisfy { !$0.utf8.contains(0) }, "no NUL comes through")

    let path = target.segments.map { $0.escaped + "/" }.joined()
    let query = target.query.map { "\($0.name.escaped)=\($0.value.escaped)" }
    let again = try RequestTarget("/\(path)?\(query.joined(separator: "&"))")
    try require(again.segments == target.segments, "a path is written and read the same")
    try require(
      again.query.count == target.query.count
        && zip(again.query, target.query).allSatisfy { $0 == $1 },
      "a query is written and read the same")

    var router = Router<Int>()
    router.add(.get, "/memes", 1)
    router.add(.get, "/memes/{id}", 2)
    router.add(.get, "/memes/{id}/image", 3)
    guard let match = try? router.match(.head, target.segments) else { return }
    try require(target.segments.count == match.endpoint, "a route has as many segments as the path")
    try require(match.endpoint == 1 || match.parameters["id"] == target.segments[1], "a parameter")
  }
}

extension String {
  /// Escapes all bytes except hexadecimal digits, so that no byte is a separator.
  fileprivate var escaped: String {
    utf8.map { byte in
      let isPlain = byte < 0x80 && Character(UnicodeScalar(byte)).isHexDigit
      return isPlain
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: byte.isMultiple(of: 2))
    }.joined()
  }
}
