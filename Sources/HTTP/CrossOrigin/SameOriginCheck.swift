/// Distinguishes requests from the server's own pages from those that other sites' pages make a browser send.
///
/// This matters for requests with a cookie. A browser sends the cookie regardless of the page that caused the
/// request (cross-site request forgery).
package struct SameOriginCheck: Sendable {
  private let origin: String?
  private let scheme: String

  /// - Parameters:
  ///   - origin: the origin of the server's pages, as browsers send it; `nil` if only the request's `Host` reveals it.
  ///   - scheme: the scheme that the server itself uses.
  package init(_ origin: String?, scheme: String) {
    (self.origin, self.scheme) = (origin?.lowercased(), scheme)
  }

  /// Whether a request with these fields comes from one of the server's own pages, or directly from the user.
  ///
  /// Browsers report this in `Sec-Fetch-Site` (Fetch Metadata §2.2), which no page can set. Browsers without that
  /// field, and all browsers over plain HTTP, send `Origin` with every unsafe request (Fetch §3.2). A client that sends
  /// neither is not a browser and needs no cookie.
  package func sent(_ headers: Headers) -> Bool {
    let (sites, origins) = (headers.all(.secFetchSite), headers.all(.origin))
    if let site = sites.first {
      guard sites.count == 1 else { return false }
      if site.text == "same-origin" { return true }
      // "none" means that the user typed the address or opened a bookmark, which sends no Origin.
      return site.text == "none" && (origins.isEmpty || isOwn(origins, headers))
    }
    return isOwn(origins, headers)
  }

  private func isOwn(_ origins: [HeaderValue], _ headers: Headers) -> Bool {
    guard origins.count == 1, let sent = origins.first?.text.lowercased() else { return false }
    if let origin { return sent == origin }
    guard let host = headers[.host]?.text.lowercased(), !host.isEmpty else { return false }
    return sent == "\(scheme)://\(host)"
  }
}
