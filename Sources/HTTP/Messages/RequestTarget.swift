import Bytes

/// The target of a request: the decoded segments of its path, and its query.
///
/// Both are decoded on access, because finding a cached response does not need them.
package struct RequestTarget: Sendable {
  package static let maximumBytes = 8192

  /// As the client sent it; for logs.
  package let raw: String
  /// Whether the target is `*`, the server itself (RFC 9112 §3.2.4). It then has no segments.
  package let isWholeServer: Bool
  /// The locations of both within ``raw``.
  private let path: Range<String.Index>
  private let queryText: Range<String.Index>

  /// Parses origin-form or absolute-form (RFC 9112 §3.2); for OPTIONS also asterisk-form.
  ///
  /// - Throws: 400 if the target has another form, a bad escape, invalid UTF-8 or a NUL; 414 if it is too long.
  package init(_ raw: String, for method: Method = .get) throws(Problem) {
    guard raw.utf8.count <= Self.maximumBytes else { throw Problem(.uriTooLong) }
    // RFC 9112 §3.2: visible ASCII. Everything else must be percent-encoded.
    let (isVisible, hasEscapes, mark) = raw.withUTF8Bytes { bytes in
      (
        bytes.allSatisfy { (0x21...0x7E).contains($0) }, bytes.contains(UInt8(ascii: "%")),
        bytes.firstIndex(of: UInt8(ascii: "?"))
      )
    }
    guard isVisible else {
      throw Problem(
        .malformedRequest, "The request target contains bytes that must be percent-encoded.")
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

  /// The path's segments, each percent-decoded separately: `/a%2Fb/c` is `["a/b", "c"]`.
  package var segments: [String] {
    // This cannot fail, because the initializer has validated the path.
    (try? Self.segments(of: raw[path])) ?? []
  }

  /// The query with its question mark, as the client sent it.
  package var rawQuery: Substring { raw[queryText] }

  /// The query's parameters in order, decoded like forms (`+` is a space).
  package var query: [(name: String, value: String)] {
    (try? Self.parameters(of: raw[queryText])) ?? []
  }

  private static func segments(of path: Substring) throws(Problem) -> [String] {
    var segments: [String] = []
    for segment in parts(of: path.utf8.dropFirst(), between: UInt8(ascii: "/")) {
      segments.append(try decode(segment, plusIsSpace: false))
    }
    // A trailing slash identifies the same resource.
    if segments.last == "" { segments.removeLast() }
    return segments
  }

  private static func parameters(
    of query: Substring
  ) throws(Problem) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for pair in parts(of: query.utf8.dropFirst(), between: UInt8(ascii: "&")) where !pair.isEmpty {
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

  private static func parts(
    of text: Substring.UTF8View, between separator: UInt8
  ) -> [Substring.UTF8View] {
    text.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// The start of the path. If the path is empty, this is the start of the query or the end of the target.
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
    // This is the usual case. The whole target is ASCII.
    if isPlain { return String(Substring(text)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(Hexadecimal.value),
          let low = rest.popFirst().flatMap(Hexadecimal.value), high << 4 | low != 0
        else {
          throw Problem(.malformedRequest, "The request target has an invalid percent-encoding.")
        }
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
