import Bytes
import Curl

/// One request to a provider.
struct ProviderRequest: Sendable {
  /// The limit for the body of a response, and for its head, in bytes.
  static let maximumBytes = 64 << 10
  private static let connectSeconds = 5

  enum Credential: Sendable {
    case none
    /// HTTP Basic (RFC 6749 §2.3.1).
    case basic(user: String, password: String)
    case bearer(String)
  }

  let url: String
  var credential = Credential.none
  /// The fields of a form for a POST; `nil` for a GET.
  var form: [(name: String, value: String)]?

  init(_ url: String) { self.url = url }

  /// The body; `nil` for a GET.
  var body: Bytes? { form.map { Bytes(FormText.encode($0)) } }

  /// Sets everything that a transfer needs to send this request. libcurl follows no redirects by default.
  ///
  /// - Parameter milliseconds: the time for the whole transfer.
  func prepare(_ handle: CurlHandle, milliseconds: Int) throws(CurlError) {
    // The other schemes that libcurl knows stay off. Only a provider on this machine has a URL with http.
    try handle.set(.protocols, url.hasPrefix("https:") ? "https" : "http")
    try handle.set(.url, url)
    try handle.set(.version, .http11)
    try handle.set(.proxy, "")
    try handle.set(.connectSeconds, Self.connectSeconds)
    try handle.set(.wholeMilliseconds, milliseconds)
    try handle.set(.endsAtOnce, true)
    var fields = ["Accept: application/json"]
    if let body {
      try handle.set(.method, "POST")
      try handle.set(.sendsBody, true)
      try handle.set(.bodyBytes, Int64(body.count))
      fields += ["Content-Type: application/x-www-form-urlencoded", "Expect:"]
    }
    switch credential {
    case .none: break
    case .basic(let user, let password):
      try handle.set(.user, user)
      try handle.set(.password, password)
    case .bearer(let token): fields.append("Authorization: Bearer \(token)")
    }
    try handle.set(.fields, fields)
  }
}

/// The form of `application/x-www-form-urlencoded`, in queries and bodies.
enum FormText {
  static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
  }
}
