/// A request method that the server knows (RFC 9110 §9). Any other is answered 501.
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
  /// Whether it asks for no change (RFC 9110 §9.2.1).
  package var isSafe: Bool { self == .get || self == .head || self == .options }

  /// These methods as the value of `Allow`, with HEAD, which is there wherever GET is, and OPTIONS, which is everywhere.
  package static func allow(_ methods: some Sequence<Method>) -> HeaderValue {
    var allowed = Set(methods).union([.options])
    if allowed.contains(.get) { allowed.insert(.head) }
    let names = allCases.filter(allowed.contains).map(\.rawValue)
    return HeaderValue(names.joined(separator: ", ")) ?? "OPTIONS"
  }
}
