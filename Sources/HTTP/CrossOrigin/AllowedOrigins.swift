/// The origins whose pages may read answers, by the CORS protocol of the Fetch standard (§3.3).
///
/// No answer allows credentials in its sense, cookies: a page shows its bearer token itself.
package enum AllowedOrigins: Equatable, Sendable {
  /// No answer has a field of the protocol.
  case none
  case any
  /// Each as browsers send it: scheme, host, and a port that is not the scheme's own; lower case.
  case listed(Set<String>)

  /// Adds to an answer what lets the page that asked read it, and what tells caches that it depends on who asks.
  ///
  /// - Parameter origin: the request's `Origin`; `nil` where there is none, as from programs that are no browsers.
  package func share(_ response: inout Response, with origin: HeaderValue?) {
    // An answer that is kept for one origin, or for none, must not be served to another (Fetch, "CORS protocol and
    // HTTP caches").
    if case .listed = self {
      let other = response.headers[.vary].map { "\($0.text), Origin" }
      response.headers[.vary] = other.flatMap { HeaderValue($0) } ?? "Origin"
    }
    guard let allowed = allowed(origin) else { return }
    response.headers[.accessControlAllowOrigin] = allowed
    response.headers[.accessControlExposeHeaders] = Self.exposed
  }

  /// Adds to the answer to OPTIONS what a browser wants to know before it sends a request with a method or fields that a
  /// page could not always send.
  ///
  /// - Parameters:
  ///   - head: of the OPTIONS request; it is a preflight where it has `Origin` and `Access-Control-Request-Method`.
  ///   - methods: those that the path takes.
  package func grant(_ methods: HeaderValue, to head: RequestHead, in response: inout Response) {
    guard head.headers[.accessControlRequestMethod] != nil,
      let origin = head.headers[.origin], allowed(origin) != nil
    else { return }
    response.headers[.accessControlAllowMethods] = methods
    response.headers[.accessControlAllowHeaders] = Self.readable
    // Two hours, which is as long as any browser of the Chromium family keeps it.
    response.headers[.accessControlMaxAge] = "7200"
  }

  /// `Access-Control-Allow-Origin` to a request of this origin; `nil` where its page may not read the answer.
  private func allowed(_ origin: HeaderValue?) -> HeaderValue? {
    switch self {
    case .none: nil
    case .any: "*"
    case .listed(let origins): origin.flatMap { origins.contains($0.text) ? $0 : nil }
    }
  }

  /// The request fields that the API reads.
  private static let readable: HeaderValue =
    "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, Last-Event-ID, Tus-Resumable, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id"

  /// The response fields that a page would not see otherwise.
  private static let exposed: HeaderValue =
    "Accept-Ranges, Allow, Content-Range, ETag, Idempotent-Replayed, Link, Location, Meme-Delete-Token, RateLimit, RateLimit-Policy, Retry-After, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Offset, WWW-Authenticate, X-Request-Id"
}
