import HTTP

/// The cookie in which a browser keeps a single sign-on that it has begun.
///
/// It is sent when the provider sends the user back, because that is a navigation (`SameSite=Lax`).
package struct SingleSignOnCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameters:
  ///   - basePath: the prefix of every URL, without a trailing slash.
  ///   - isSecure: whether clients use HTTPS. The prefix `__Secure-` keeps plain HTTP from setting the cookie;
  ///     `__Host-` would not permit the path.
  package init(basePath: String, isSecure: Bool) {
    name = isSecure ? "__Secure-mememe-oidc" : "mememe-oidc"
    attributes = "Path=\(basePath)/oidc; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// The content of the cookie; `nil` if the request has none, or several, of which another party may have set one.
  func content(in headers: Headers) -> String? {
    let all = headers.cookies(named: name)
    return all.count == 1 ? all.first : nil
  }

  func set(_ content: String, seconds: Int64) -> HeaderValue? {
    HeaderValue("\(name)=\(content); Max-Age=\(seconds); \(attributes)")
  }

  var cleared: HeaderValue {
    HeaderValue("\(name)=; Max-Age=0; \(attributes)") ?? ""
  }
}
