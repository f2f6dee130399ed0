import HTTP

/// The cookie in which a browser keeps a single sign-on that it has begun.
///
/// It is sent when the provider sends the user back, because that is a navigation (`SameSite=Lax`).
package struct SingleSignOnCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameters:
  ///   - basePath: the prefix of every URL, without a trailing slash.
  ///   - isSecure: whether clients use HTTPS. The prefix `__Host-`, which requires the path `/`, keeps other hosts of
  ///     the domain from setting the cookie: with a sign-on of their own, they would sign the user in to their account.
  package init(basePath: String, isSecure: Bool) {
    name = isSecure ? "__Host-mememe-oidc" : "mememe-oidc"
    let path = isSecure ? "/" : "\(basePath)/oidc"
    attributes = "Path=\(path); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
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
