/// The origins whose pages may read responses, by the CORS protocol of the Fetch standard (§3.3).
///
/// No response allows credentials in the sense of CORS, which are cookies. A page sends its bearer token itself.
package enum AllowedOrigins: Equatable, Sendable {
  /// No response has a CORS field.
  case none
  case any
  /// Each origin as browsers send it, in lowercase: scheme, host, and the port unless it is the scheme's default.
  case listed(Set<String>)

  /// Adds the fields that let the requesting page read a response, and the `Vary` entry for caches.
  ///
  /// - Parameter origin: the request's `Origin`, or `nil` if the request has none, as
  ///   from clients that are not browsers.
  package func share(_ response: inout Response, with origin: HeaderValue?) {
    // A response that a cache stored for one origin, or for none, must not be served to another
    // (Fetch, "CORS protocol and HTTP caches").
    if case .listed = self {
      let other = response.headers[.vary].map { "\($0.text), Origin" }
      response.headers[.vary] = other.flatMap { HeaderValue($0) } ?? "Origin"
    }
    guard let allowed = allowed(origin) else { return }
    response.headers[.accessControlAllowOrigin] = allowed
    response.headers[.accessControlExposeHeaders] = Self.exposed
  }

  /// Adds the preflight fields to the response to OPTIONS. A browser needs them before it sends a request whose method
  /// or header fields require permission.
  ///
  /// - Parameters:
  ///   - head: the OPTIONS request. It is a preflight if it has `Origin` and `Access-Control-Request-Method`.
  ///   - methods: the methods that the path supports.
  package func grant(_ methods: HeaderValue, to head: RequestHead, in response: inout Response) {
    guard head.headers[.accessControlRequestMethod] != nil,
      let origin = head.headers[.origin], allowed(origin) != nil
    else { return }
    response.headers[.accessControlAllowMethods] = methods
    response.headers[.accessControlAllowHeaders] = Self.readable
    // Two hours, the longest time for which any Chromium browser caches it.
    response.headers[.accessControlMaxAge] = "7200"
  }

  /// The `Access-Control-Allow-Origin` for a request from this origin, or `nil` if its pages may not read the response.
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

  /// The response fields that a page could not read otherwise.
  private static let exposed: HeaderValue =
    "Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, Meme-Delete-Token, RateLimit, RateLimit-Policy, Retry-After, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Offset, WWW-Authenticate, X-Request-Id"
}
