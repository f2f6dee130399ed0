/// The name of a header field: a token (RFC 9110 §5.1), in lowercase.
package struct HeaderName: Hashable, Sendable {
  package let text: String

  /// - Returns: `nil` if `text` is not a token.
  package init?(_ text: String) {
    var hasCapitals = false
    for byte in text.utf8 {
      guard byte.isTokenCharacter else { return nil }
      hasCapitals = hasCapitals || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    guard !text.isEmpty else { return nil }
    // A token is ASCII, in which uppercase and lowercase letters differ by one bit.
    self.text =
      hasCapitals
      ? String(unsafeUninitializedCapacity: text.utf8.count) { lower in
        for (place, byte) in text.utf8.enumerated() {
          let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          lower[place] = isCapital ? byte | 0x20 : byte
        }
        return text.utf8.count
      } : text
  }

  private init(known text: String) { self.text = text }

  package static let accept = HeaderName(known: "accept")
  package static let acceptEncoding = HeaderName(known: "accept-encoding")
  package static let acceptPatch = HeaderName(known: "accept-patch")
  package static let acceptRanges = HeaderName(known: "accept-ranges")
  package static let accessControlAllowHeaders = HeaderName(known: "access-control-allow-headers")
  package static let accessControlAllowMethods = HeaderName(known: "access-control-allow-methods")
  package static let accessControlAllowOrigin = HeaderName(known: "access-control-allow-origin")
  package static let accessControlExposeHeaders = HeaderName(known: "access-control-expose-headers")
  package static let accessControlMaxAge = HeaderName(known: "access-control-max-age")
  package static let accessControlRequestMethod = HeaderName(known: "access-control-request-method")
  package static let allow = HeaderName(known: "allow")
  package static let authorization = HeaderName(known: "authorization")
  package static let cacheControl = HeaderName(known: "cache-control")
  package static let connection = HeaderName(known: "connection")
  package static let contentDisposition = HeaderName(known: "content-disposition")
  package static let contentEncoding = HeaderName(known: "content-encoding")
  package static let contentLength = HeaderName(known: "content-length")
  package static let contentLocation = HeaderName(known: "content-location")
  package static let contentRange = HeaderName(known: "content-range")
  package static let contentSecurityPolicy = HeaderName(known: "content-security-policy")
  package static let contentType = HeaderName(known: "content-type")
  package static let cookie = HeaderName(known: "cookie")
  package static let crossOriginResourcePolicy = HeaderName(known: "cross-origin-resource-policy")
  package static let etag = HeaderName(known: "etag")
  package static let expect = HeaderName(known: "expect")
  package static let expires = HeaderName(known: "expires")
  package static let host = HeaderName(known: "host")
  package static let ifMatch = HeaderName(known: "if-match")
  package static let ifNoneMatch = HeaderName(known: "if-none-match")
  package static let ifRange = HeaderName(known: "if-range")
  package static let idempotencyKey = HeaderName(known: "idempotency-key")
  package static let idempotentReplayed = HeaderName(known: "idempotent-replayed")
  package static let lastEventID = HeaderName(known: "last-event-id")
  package static let link = HeaderName(known: "link")
  package static let location = HeaderName(known: "location")
  package static let memeDeleteToken = HeaderName(known: "meme-delete-token")
  package static let origin = HeaderName(known: "origin")
  package static let range = HeaderName(known: "range")
  package static let rateLimit = HeaderName(known: "ratelimit")
  package static let rateLimitPolicy = HeaderName(known: "ratelimit-policy")
  package static let referrerPolicy = HeaderName(known: "referrer-policy")
  package static let retryAfter = HeaderName(known: "retry-after")
  package static let forwarded = HeaderName(known: "forwarded")
  package static let via = HeaderName(known: "via")
  package static let strictTransportSecurity = HeaderName(known: "strict-transport-security")
  package static let secFetchSite = HeaderName(known: "sec-fetch-site")
  package static let setCookie = HeaderName(known: "set-cookie")
  package static let transferEncoding = HeaderName(known: "transfer-encoding")
  package static let tusExtension = HeaderName(known: "tus-extension")
  package static let tusMaxSize = HeaderName(known: "tus-max-size")
  package static let tusResumable = HeaderName(known: "tus-resumable")
  package static let tusVersion = HeaderName(known: "tus-version")
  package static let uploadDeferLength = HeaderName(known: "upload-defer-length")
  package static let uploadExpires = HeaderName(known: "upload-expires")
  package static let uploadLength = HeaderName(known: "upload-length")
  package static let uploadMetadata = HeaderName(known: "upload-metadata")
  package static let uploadOffset = HeaderName(known: "upload-offset")
  package static let userAgent = HeaderName(known: "user-agent")
  package static let vary = HeaderName(known: "vary")
  package static let wwwAuthenticate = HeaderName(known: "www-authenticate")
  package static let xAccelBuffering = HeaderName(known: "x-accel-buffering")
  package static let xContentTypeOptions = HeaderName(known: "x-content-type-options")
  package static let xForwardedFor = HeaderName(known: "x-forwarded-for")
  package static let xRequestID = HeaderName(known: "x-request-id")
}

extension UInt8 {
  /// Whether this is a `tchar` (RFC 9110 §5.6.2).
  package var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
