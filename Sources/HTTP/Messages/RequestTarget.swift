import Bytes

/// What a request asks for: the decoded segments of its path, and its query.
///
/// Both are decoded when they are asked for: an answer that is kept ready is found without them.
package struct RequestTarget: Sendable {
  package static let maximumBytes = 8192

  /// As it was sent; for logs.
  package let raw: String
  /// Whether it is `*`, the server itself (RFC 9112 §3.2.4). It has no segments then.
  package let isWholeServer: Bool
  /// Where in ``raw`` they stand.
  private let path: Range<String.Index>
  private let queryText: Range<String.Index>

  /// Reads origin-form or absolute-form (RFC 9112 §3.2); for OPTIONS asterisk-form too.
  ///
  /// - Throws: 400 where it is neither, has a bad escape, invalid UTF-8 or a NUL; 414 where it is too long.
  package init(_ raw: String, for method: Method = .get) throws(Problem) {
    guard raw.utf8.count <= Self.maximumBytes else { throw Problem(.uriTooLong) }
    // RFC 9112 §3.2: visible ASCII, whatever else is percent-encoded.
    let (isVisible, hasEscapes, mark) = raw.withUTF8Bytes { bytes in
      (
        bytes.allSatisfy { (0x21...0x7E).contains($0) }, bytes.contains(UInt8(ascii: "%")),
        bytes.firstIndex(of: UInt8(ascii: "?"))
      )
    }
    guard isVisible else {
      throw Problem(.malformedRequest, "The request target has bytes that must be percent-encoded.")
    }
    self.raw = raw
    isWholeServer = raw == "*" && method == .options
    let start = isWholeServer ? raw.endIndex : try Self.startOfPath(raw)
    let end = mark.map { raw.utf8.index(raw.startIndex, offsetBy: $0) } ?? raw.endIndex
    (path, queryText) = (start..<end, end..<raw.endIndex)
    if hasEscapes {
      _ = try Self.segments(of: raw[path])
      _ = try Self.parameters(of: raw[queryText])
    }
  }

  /// The path's segments, each percent-decoded on its own: `/a%2Fb/c` is `["a/b", "c"]`.
  package var segments: [String] {
    // Nothing is wrong with it, or there would be no target.
    (try? Self.segments(of: raw[path])) ?? []
  }

  /// The query's parameters in order, decoded as forms are (`+` is a space).
  package var query: [(name: String, value: String)] {
    (try? Self.parameters(of: raw[queryText])) ?? []
  }

  private static func segments(of path: Substring) throws(Problem) -> [String] {
    var segments: [String] = []
    try forEachPart(of: path.utf8.dropFirst(), between: UInt8(ascii: "/")) {
      segment throws(Problem) in
      segments.append(try decode(segment, plusIsSpace: false))
    }
    // A trailing slash names the same thing.
    if segments.last == "" { segments.removeLast() }
    return segments
  }

  private static func parameters(
    of query: Substring
  ) throws(Problem) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    try forEachPart(of: query.utf8.dropFirst(), between: UInt8(ascii: "&")) {
      pair throws(Problem) in
      guard !pair.isEmpty else { return }
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let value = pair[name.endIndex...].dropFirst()
      parameters.append(
        (
          name: try decode(name, plusIsSpace: true),
          value: try decode(value, plusIsSpace: true)
        ))
    }
    return parameters
  }

  private static func forEachPart(
    of text: Substring.UTF8View, between separator: UInt8,
    _ body: (Substring.UTF8View) throws(Problem) -> Void
  ) throws(Problem) {
    var rest = text
    while let end = rest.firstIndex(of: separator) {
      try body(rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    try body(rest)
  }

  /// Where the path begins with its slash, or the query or nothing where the path is empty.
  private static func startOfPath(_ raw: String) throws(Problem) -> String.Index {
    if raw.utf8.first == UInt8(ascii: "/") { return raw.startIndex }
    for scheme in ["http://", "https://"] where raw.lowercased().hasPrefix(scheme) {
      let rest = raw.dropFirst(scheme.count)
      return rest.firstIndex(where: { $0 == "/" || $0 == "?" }) ?? raw.endIndex
    }
    throw Problem(.malformedRequest, "The request target is not a path.")
  }

  private static func decode(
    _ text: Substring.UTF8View, plusIsSpace: Bool
  ) throws(Problem) -> String {
    let isPlain = text.allSatisfy {
      $0 != UInt8(ascii: "%") && ($0 != UInt8(ascii: "+") || !plusIsSpace)
    }
    // Which is nearly always so, and the whole target is ASCII.
    if isPlain { return String(Substring(text)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(Hexadecimal.value),
          let low = rest.popFirst().flatMap(Hexadecimal.value), high << 4 | low != 0
        else { throw Problem(.malformedRequest, "The request target has a bad percent escape.") }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace:
        bytes.append(UInt8(ascii: " "))
      default:
        bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.malformedRequest, "The request target is not valid UTF-8.")
    }
    return decoded
  }
}
