import HTTP

/// The cookie in which a browser sends a session token.
///
/// Scripts cannot read it (`HttpOnly`). Requests from other sites contain it only if the user
/// follows a link (`SameSite=Lax`).
package struct SessionCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameter isSecure: whether clients use HTTPS. If so, the name has the prefix `__Host-`: other hosts of the
  ///   domain cannot set such a cookie, and browsers never send it over plain HTTP (RFC 6265bis §4.1.3.2).
  package init(isSecure: Bool) {
    name = isSecure ? "__Host-mememe" : "mememe"
    attributes = "Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// The tokens in a request. There are several if it contains the cookie more than once.
  func tokens(in headers: Headers) -> [String] { headers.cookies(named: name) }

  /// The header value that makes a browser store the token for this time.
  func set(_ token: String, seconds: Int64) -> HeaderValue? {
    HeaderValue("\(name)=\(token); Max-Age=\(seconds); \(attributes)")
  }

  /// The header value that makes a browser delete the cookie.
  var cleared: HeaderValue {
    HeaderValue("\(name)=; Max-Age=0; \(attributes)") ?? ""
  }
}
