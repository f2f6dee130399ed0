import HTTP

/// The cookie that a browser shows a session's token by.
///
/// No page can read it (`HttpOnly`), and other sites' requests do not bring it but by a link (`SameSite=Lax`).
package struct SessionCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameter isSecure: whether people reach the server by HTTPS. Then the name has the prefix `__Host-`: no other host
  ///   of the domain can have set such a cookie, and it never goes over plain HTTP (RFC 6265bis §4.1.3.2).
  package init(isSecure: Bool) {
    name = isSecure ? "__Host-mememe" : "mememe"
    attributes = "Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// What a request shows as a token, as often as it does.
  func tokens(in headers: Headers) -> [String] { headers.cookies(named: name) }

  /// The field that makes a browser keep the token for so long.
  func set(_ token: String, seconds: Int64) -> HeaderValue? {
    HeaderValue("\(name)=\(token); Max-Age=\(seconds); \(attributes)")
  }

  /// The field that makes a browser forget it.
  var cleared: HeaderValue {
    HeaderValue("\(name)=; Max-Age=0; \(attributes)") ?? ""
  }
}
