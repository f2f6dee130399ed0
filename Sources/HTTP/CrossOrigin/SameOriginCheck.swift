/// Tells requests of the server's own pages from those that pages of others make a browser send.
///
/// That matters where a browser shows a cookie: it does so whoever made it send the request (cross-site request forgery).
package struct OwnOrigin: Sendable {
  private let origin: String?
  private let scheme: String

  /// - Parameters:
  ///   - origin: of the server's pages, as browsers send it; `nil` where it is known by the request's `Host` alone.
  ///   - scheme: what the server speaks itself.
  package init(_ origin: String?, scheme: String) {
    (self.origin, self.scheme) = (origin?.lowercased(), scheme)
  }

  /// Whether a request with these fields is of a page of ours, or of the person alone.
  ///
  /// Browsers say so in `Sec-Fetch-Site` (Fetch Metadata §2.2), which no page can set; those that do not know it, and all over
  /// plain HTTP, send `Origin` with whatever is not safe (Fetch §3.2). What sends neither is no browser, and needs no cookie.
  package func sent(_ headers: Headers) -> Bool {
    let (sites, origins) = (headers.all(.secFetchSite), headers.all(.origin))
    if let site = sites.first {
      guard sites.count == 1 else { return false }
      if site.text == "same-origin" { return true }
      // "none" is a person who typed the address or opened a bookmark, and that sends no origin.
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
