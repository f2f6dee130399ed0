/// A request method that the server supports (RFC 9110 §9). All other methods get a 501,
/// except TRACE and CONNECT, which get a 405.
package enum Method: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
}

extension Method {
  /// Whether the method requests no change (RFC 9110 §9.2.1).
  package var isSafe: Bool { self == .get || self == .head || self == .options }

  /// The value of `Allow` for these methods. It includes HEAD if GET is among them, and always OPTIONS.
  package static func allow(_ methods: some Sequence<Method>) -> HeaderValue {
    var allowed = Set(methods).union([.options])
    if allowed.contains(.get) { allowed.insert(.head) }
    let names = allCases.filter(allowed.contains).map(\.rawValue)
    return HeaderValue(names.joined(separator: ", ")) ?? "OPTIONS"
  }
}
