import Foundation

/// How often and after which pauses the client repeats a call that had no response or was asked to wait.
///
/// Only calls that are safe to repeat are repeated: reads, calls that set or delete something, and calls with an
/// ``IdempotencyKey``. Calls that fail for another reason are not repeated.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// The maximum pause before the second attempt. It doubles with each further attempt.
  public var firstPause: Duration
  /// The maximum of all pauses. If the server asks for a longer one in `Retry-After`, the call fails instead.
  public var longestPause: Duration
  /// Returns a number from 0 up to 1 that shortens a pause, so that clients do not retry in unison.
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

  /// A policy that makes every call only once.
  public static let never = Self(attempts: 1)

  /// Returns the pause after a failed attempt.
  ///
  /// - Parameter attempt: The number of attempts so far, starting at 1.
  /// - Returns: `nil` if there should be no further attempt.
  func pause(after attempt: Int, _ error: MemeMeError) -> Duration? {
    guard attempt < attempts, error.isPassing else { return nil }
    var longest = min(firstPause, longestPause)
    for _ in 1..<max(1, min(attempt, 32)) { longest = min(longest * 2, longestPause) }
    let share = min(max(jitter(), 0), 1)
    // At least half of the maximum, so that a series of failures takes a predictable time.
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

  /// The pause that the server asks for.
  public var retryAfter: Duration? {
    switch self {
    case .problem(let problem): problem.retryAfter
    case .unexpectedAnswer(_, _, let retryAfter): retryAfter
    default: nil
    }
  }

  /// Errors that a further attempt would meet as well.
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
