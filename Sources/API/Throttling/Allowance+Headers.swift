import HTTP
import Memes

extension [Allowance] {
  /// `RateLimit` and `RateLimit-Policy`: lists of structured fields (RFC 9651), as in draft-ietf-httpapi-ratelimit-headers-10.
  ///
  /// Whoever sends no more than `q` in any `w` seconds is never refused: that is the burst, and the time in which it
  /// comes back.
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
  /// With what is left of the limits that the request was counted for. One that refused it stays.
  func showing(_ allowances: [Allowance]) -> Response {
    guard !allowances.isEmpty, headers[.rateLimit] == nil else { return self }
    var response = self
    for (name, value) in allowances.fields { response.headers.append(name, value) }
    return response
  }
}

extension Problem {
  /// 429, with the time after which the same request gets through.
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
  /// The parameter that says what is counted, if not requests.
  fileprivate var unit: String { self == .render ? #";qu="megapixels""# : "" }

  /// What there was too much of; `nil` where the kind of problem says all.
  fileprivate var refusal: String? {
    switch self {
    case .wrongPassword:
      "Too many passwords for this account that came from this network were wrong. Those that come now are not looked at. Try again after the time in Retry-After; wherever you are signed in, you still are."
    case .mail:
      "You have sent many mails in a short time. Nothing was sent. Try again after the time in Retry-After."
    case .render:
      "You have had more pictures drawn in a short time than your share. Nothing was drawn. Try again after the time in Retry-After, or send smaller pictures."
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
