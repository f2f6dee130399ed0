/// What a request asks for: the decoded segments of its path, and its query.
package struct RequestTarget: Sendable {
  package static let maximumBytes = 8192

  /// As it was sent; for logs.
  package let raw: String
  /// The path's segments, each percent-decoded on its own: `/a%2Fb/c` is `["a/b", "c"]`.
  package let segments: [String]
  /// Whether it is `*`, the server itself (RFC 9112 §3.2.4). It has no segments then.
  package let isWholeServer: Bool
  /// The query's parameters in order, decoded as forms are (`+` is a space).
  package let query: [(name: String, value: String)]

  /// Reads origin-form or absolute-form (RFC 9112 §3.2); for OPTIONS asterisk-form too.
  ///
  /// - Throws: 400 where it is neither, has a bad escape, invalid UTF-8 or a NUL; 414 where it is too long.
  package init(_ raw: String, for method: Method = .get) throws(Problem) {
    guard raw.utf8.count <= Self.maximumBytes else { throw Problem(.uriTooLong) }
    // RFC 9112 §3.2: visible ASCII, whatever else is percent-encoded.
    guard raw.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(.malformedRequest, "The request target has bytes that must be percent-encoded.")
    }
    self.raw = raw
    isWholeServer = raw == "*" && method == .options
    let origin = isWholeServer ? "/" : try Self.originForm(raw)
    let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments: [String] = []
    for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      segments.append(try Self.decode(segment, plusIsSpace: false))
    }
    // A trailing slash names the same thing.
    if segments.last == "" { segments.removeLast() }
    self.segments = segments
    var query: [(name: String, value: String)] = []
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query.append(
        (
          name: try Self.decode(sides[0], plusIsSpace: true),
          value: try Self.decode(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
        ))
    }
    self.query = query
  }

  private static func originForm(_ raw: String) throws(Problem) -> Substring {
    if raw.hasPrefix("/") { return Substring(raw) }
    for scheme in ["http://", "https://"] where raw.lowercased().hasPrefix(scheme) {
      let rest = raw.dropFirst(scheme.count)
      guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
      return rest[start] == "/" ? rest[start...] : "/" + rest[start...]
    }
    throw Problem(.malformedRequest, "The request target is not a path.")
  }

  private static func decode(
    _ text: Substring, plusIsSpace: Bool
  ) throws(Problem) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexadecimalValue),
          let low = rest.popFirst().flatMap(hexadecimalValue), high << 4 | low != 0
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

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    Character(UnicodeScalar(digit)).hexDigitValue.map { UInt8($0) }
  }
}
