import HTTP
import Memes

extension Allowance {
  /// `RateLimit` and `RateLimit-Policy`: lists of structured fields (RFC 9651), as in draft-ietf-httpapi-ratelimit-headers-10.
  ///
  /// Whoever sends no more than `q` in any `w` seconds is never refused: that is the burst, and the time in which it
  /// comes back.
  fileprivate var fields: [(HeaderName, HeaderValue)] {
    let (name, rate) = (limit.rawValue, limit.rate)
    let policy = "\"\(name)\";q=\(rate.burst);w=\(rate.window.wholeSeconds)"
    let state = "\"\(name)\";r=\(remaining);t=\(untilFull.wholeSeconds)"
    return [(.rateLimitPolicy, policy), (.rateLimit, state)].compactMap { name, text in
      HeaderValue(text).map { (name, $0) }
    }
  }
}

extension Response {
  /// With what is left of the limit that the request was counted for. One that refused it stays.
  func showing(_ allowance: Allowance?) -> Response {
    guard let allowance, headers[.rateLimit] == nil else { return self }
    var response = self
    for (name, value) in allowance.fields { response.headers.append(name, value) }
    return response
  }
}

extension Problem {
  /// 429, with the time after which the same request gets through.
  init(_ allowance: Allowance) {
    let wait = HeaderValue("\(max(allowance.wait.wholeSeconds, 1))").map {
      (HeaderName.retryAfter, $0)
    }
    self.init(
      .tooManyRequests, allowance.limit.refusal,
      headers: Headers(allowance.fields + [wait].compactMap { $0 }))
  }
}

extension Limit {
  /// What there was too much of; `nil` where the kind of problem says all.
  fileprivate var refusal: String? {
    switch self {
    case .wrongPassword:
      "Too many passwords for this account that came from this network were wrong. Those that come now are not looked at. Try again after the time in Retry-After; wherever you are signed in, you still are."
    case .mail:
      "You have sent many mails in a short time. Nothing was sent. Try again after the time in Retry-After."
    default: nil
    }
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var wholeSeconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds + (attoseconds > 0 ? 1 : 0)
  }
}
