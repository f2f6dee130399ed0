import Foundation

/// How often, and after how long, a call is made again that had no answer or was told to wait.
///
/// Only calls that may be made twice are: those that read, those that set or delete something, and those with an
/// ``IdempotencyKey``. What was refused for another reason is not asked again.
public struct RetryPolicy: Sendable {
  /// How often a call is made at most, the first time among them.
  public var attempts: Int
  /// The longest pause before the second attempt. It doubles with each further one.
  public var firstPause: Duration
  /// The longest pause of all. Where the server asks for a longer one, in `Retry-After`, the call fails instead.
  public var longestPause: Duration
  /// A number from 0 up to 1, by which a pause is cut, so that clients do not come back all at once.
  public var jitter: @Sendable () -> Double

  public init(
    attempts: Int = 4, firstPause: Duration = .milliseconds(400),
    longestPause: Duration = .seconds(20),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.jitter = jitter
  }

  /// Every call is made once.
  public static let never = Self(attempts: 1)

  /// How long to wait after a failed attempt.
  ///
  /// - Parameter attempt: how many were made, from 1.
  /// - Returns: `nil` where there is to be no further one.
  func pause(after attempt: Int, _ error: MemeMeError) -> Duration? {
    guard attempt < attempts, error.isPassing else { return nil }
    var longest = min(firstPause, longestPause)
    for _ in 1..<max(1, min(attempt, 32)) { longest = min(longest * 2, longestPause) }
    let share = min(max(jitter(), 0), 1)
    // Not below the half, so that many failures in a row take a time that is known.
    let pause = longest * (1 - share / 2)
    guard let asked = error.retryAfter else { return pause }
    return asked <= longestPause ? asked + pause : nil
  }
}

extension MemeMeError {
  /// Whether the same call may succeed a little later.
  var isPassing: Bool {
    switch self {
    case .connection(let code): !Self.lasting.contains(code)
    case .problem(let problem):
      Self.isPassing(problem.status) || problem.code == .idempotencyKeyInUse
    case .unexpectedAnswer(let status, _, _): Self.isPassing(status)
    case .timeout, .answerTooLarge, .unreadableFile: false
    }
  }

  /// How long the server asks to wait.
  public var retryAfter: Duration? {
    switch self {
    case .problem(let problem): problem.retryAfter
    case .unexpectedAnswer(_, _, let retryAfter): retryAfter
    default: nil
    }
  }

  /// What the next attempt meets as well.
  private static let lasting: Set<URLError.Code> = [
    .badURL, .unsupportedURL, .serverCertificateUntrusted, .serverCertificateHasBadDate,
    .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
    .clientCertificateRequired, .fileDoesNotExist, .noPermissionsToReadFile, .dataNotAllowed,
    .appTransportSecurityRequiresSecureConnection,
  ]

  private static func isPassing(_ status: Int) -> Bool {
    [408, 429, 502, 503, 504].contains(status)
  }
}
