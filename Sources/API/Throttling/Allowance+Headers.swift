import HTTP
import Memes

extension [Allowance] {
  /// `RateLimit` and `RateLimit-Policy` as lists of structured fields (RFC
  /// 9651), defined in draft-ietf-httpapi-ratelimit-headers-10.
  ///
  /// `q` is the burst, and `w` is the time in seconds after which the whole burst is available again. A client that
  /// sends at most `q` requests in any `w` seconds is never rejected.
  fileprivate var fields: [(HeaderName, HeaderValue)] {
    let policy = map {
      "\"\($0.limit.rawValue)\";q=\($0.burst)\($0.limit.unit);w=\($0.window.wholeSeconds)"
    }
    let state = map {
      "\"\($0.limit.rawValue)\";r=\($0.remaining);t=\($0.untilFull.wholeSeconds)"
    }
    return [(.rateLimitPolicy, policy), (.rateLimit, state)].compactMap { name, texts in
      HeaderValue(texts.joined(separator: ", ")).map { (name, $0) }
    }
  }
}

extension Response {
  /// Adds the remaining allowances of the limits that the request was counted for. A response that already has these
  /// fields stays unchanged, for example a 429.
  func showing(_ allowances: [Allowance]) -> Response {
    guard !allowances.isEmpty, headers[.rateLimit] == nil else { return self }
    var response = self
    for (name, value) in allowances.fields { response.headers.append(name, value) }
    return response
  }
}

extension Problem {
  /// A 429 response with the time after which the same request succeeds.
  init(_ allowance: Allowance) {
    self.init(
      .tooManyRequests, allowance.limit.refusal,
      headers: Headers([allowance].fields + [retryAfter(allowance.wait)].compactMap { $0 }))
  }
}

/// `Retry-After`, in whole seconds.
func retryAfter(_ time: Duration) -> (HeaderName, HeaderValue)? {
  HeaderValue("\(max(time.wholeSeconds, 1))").map { (.retryAfter, $0) }
}

extension Limit {
  /// The parameter for the counted unit, unless the limit counts requests.
  fileprivate var unit: String { self == .render ? #";qu="megapixels""# : "" }

  /// The detail of the error; `nil` if the general text of the problem is sufficient.
  fileprivate var refusal: String? {
    switch self {
    case .wrongPassword:
      "Too many wrong passwords for this account from your network. Existing sessions stay signed in. Try again after the time in Retry-After."
    case .wrongCode:
      "Too many wrong codes for this account. Existing sessions stay signed in. Try again after the time in Retry-After."
    case .mail:
      "You reached the limit for sending mail. Nothing was sent. Try again after the time in Retry-After."
    case .render:
      "You reached your limit for rendering. Nothing was rendered. Try again after the time in Retry-After, or use smaller pictures."
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
