import Bytes
import HTTP

/// A request's head as libmicrohttpd reports it, with every part as the client sent it.
struct RawHead {
  struct Field {
    let name: String
    let value: String
    /// Whether the field continues on a second line (obs-fold), in which case libmicrohttpd mangles its name and value.
    var isFolded = false
  }

  let method: String
  let version: String
  /// `nil` if it is not valid UTF-8.
  let target: String?
  let fields: [Field]
  /// Whether a line has an ending that only some parsers accept, or contains a NUL. libmicrohttpd
  /// hides the rest of a field after a NUL.
  var hasStrayEnds = false
  /// The size of the request line and the fields together.
  let byteCount: Int

  /// The raw value of the first field with this name.
  subscript(_ name: HeaderName) -> String? {
    fields.first {
      $0.name.utf8.count == name.text.utf8.count && $0.name.lowercased() == name.text
    }?
    .value
  }
}

/// How the server finds the end of a request's body (RFC 9112 §6).
enum Framing: Equatable {
  case none
  case length(Int)
  case chunked

  /// In bytes; 0 if the request has no body, or only the body's end reveals its length.
  var knownLength: Int {
    if case .length(let count) = self { count } else { 0 }
  }
}

/// A head that passed the ``FramingGate``.
struct CheckedHead {
  let method: Method
  let target: RequestTarget
  let headers: Headers
  let framing: Framing
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  let expectsContinue: Bool
}

/// Refuses requests that two parsers could read differently.
///
/// libmicrohttpd accepts much that RFC 9112 forbids. Behind a proxy with another parser, one request could become two
/// (request smuggling). So the server answers such requests with a 400 and closes the connection.
enum FramingGate {
  private static let maximumFields = 100

  static func check(_ raw: RawHead, maximumBytes: Int) throws(Problem) -> CheckedHead {
    guard raw.byteCount <= maximumBytes else { throw Problem(.headerTooLarge) }
    guard raw.fields.count <= maximumFields else { throw Problem(.headerTooLarge) }
    guard !raw.hasStrayEnds else {
      throw malformed("A header line does not end with CR LF, or contains a NUL.")
    }
    guard raw.version == "HTTP/1.1" || raw.version == "HTTP/1.0" else {
      throw malformed("The server only supports HTTP/1.1 and HTTP/1.0.")
    }
    let isOld = raw.version == "HTTP/1.0"
    let headers = try headers(of: raw.fields)
    try checkHost(headers, isRequired: !isOld)
    let framing = try framing(of: headers, isOld: isOld)
    guard let method = Method(rawValue: raw.method) else {
      guard !raw.method.isEmpty, raw.method.utf8.allSatisfy(\.isTokenCharacter) else {
        throw malformed("The request method is not a valid token.")
      }
      // RFC 9110 §9.3: known methods that no resource here supports.
      guard ["TRACE", "CONNECT"].contains(raw.method) else { throw Problem(.notImplemented) }
      throw Problem(
        .methodNotAllowed, headers: Headers([(.allow, Method.allow(Method.allCases))]))
    }
    guard let target = raw.target else {
      throw malformed("The request target contains bytes that must be percent-encoded.")
    }
    // RFC 9110 §10.1.1: HTTP/1.0 has no expectations.
    let expectations = isOld ? [] : headers.all(.expect)
    guard expectations.allSatisfy({ $0.text.lowercased() == "100-continue" }) else {
      throw Problem(.expectationFailed)
    }
    return CheckedHead(
      method: method, target: try RequestTarget(target, for: method), headers: headers,
      framing: framing,
      expectsContinue: framing != .none && !expectations.isEmpty)
  }

  private static func headers(of fields: [RawHead.Field]) throws(Problem) -> Headers {
    var headers = Headers()
    headers.reserveCapacity(fields.count)
    for field in fields {
      guard !field.isFolded else { throw malformed("A header field is folded over two lines.") }
      guard let name = HeaderName(field.name) else {
        throw malformed("A header field name is not a valid token.")
      }
      // libmicrohttpd reads Transfer-Encoding with its trailing whitespace, so the gate must do the same.
      let text = name == .transferEncoding ? field.value : field.value.droppingTrailingBlanks
      guard let value = HeaderValue(text) else {
        throw malformed("A header field value contains a control character.")
      }
      headers.append(name, value)
    }
    return headers
  }

  /// RFC 9112 §3.2: a client must send exactly one Host. A server must refuse a request with none,
  /// with several, or with an invalid one.
  private static func checkHost(_ headers: Headers, isRequired: Bool) throws(Problem) {
    var count = 0
    for field in headers.fields where field.name == .host {
      count += 1
      guard field.value.text.withUTF8Bytes({ $0.allSatisfy(isHostCharacter) }) else {
        throw malformed("The Host header is not a valid host.")
      }
    }
    guard count == 1 || count == 0 && !isRequired else {
      throw malformed("The request must have exactly one Host header.")
    }
  }

  /// RFC 9112 §6.
  private static func framing(of headers: Headers, isOld: Bool) throws(Problem) -> Framing {
    let codings = headers.all(.transferEncoding)
    let lengths = headers.all(.contentLength)
    guard codings.isEmpty || lengths.isEmpty else {
      throw malformed("The request has both Transfer-Encoding and Content-Length.")
    }
    if !codings.isEmpty {
      guard !isOld, codings.count == 1, codings[0].text.lowercased() == "chunked" else {
        throw malformed("The only supported Transfer-Encoding is a single chunked, in HTTP/1.1.")
      }
      return .chunked
    }
    guard let length = lengths.first?.text else { return .none }
    guard lengths.count == 1 else {
      throw malformed("Content-Length must be a single whole number.")
    }
    let count = try contentLength(length)
    return count == 0 ? .none : .length(count)
  }

  /// Parses the value of a Content-Length field (RFC 9110 §8.6).
  static func contentLength(_ text: String) throws(Problem) -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else {
      throw malformed("Content-Length must be a single whole number.")
    }
    guard let count = Int(text) else { throw Problem(.contentTooLarge) }
    return count
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether a byte may occur in `uri-host [":" port]` (RFC 3986 §3.2.2). Characters that separate the
  /// host from another part are excluded.
  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "="):
      true
    default: byte.isTokenCharacter
    }
  }

  private static func malformed(_ detail: String) -> Problem { Problem(.malformedRequest, detail) }
}

extension String {
  /// The value without trailing whitespace, which is not part of it (RFC 9110 §5.5).
  /// libmicrohttpd only removes leading whitespace.
  fileprivate var droppingTrailingBlanks: String {
    guard let last = utf8.last, last == 0x20 || last == 0x09 else { return self }
    var rest = utf8[...]
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }
}
