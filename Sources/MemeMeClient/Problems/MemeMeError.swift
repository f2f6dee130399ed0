public import Foundation

/// Why a call failed. A call that was cancelled throws `CancellationError` instead.
public enum MemeMeError: Error, Sendable, Hashable {
  /// The server said why.
  case problem(Problem)
  /// There is no answer. What was asked for may be done, or not, or be done later.
  case connection(URLError.Code)
  /// The call took longer than it may. What was asked for may be done, or not, or be done later.
  case timeout
  /// The answer is not one of a MemeMe server: one of a proxy, or of a server that is not this one.
  ///
  /// - Parameters:
  ///   - status: the answer's.
  ///   - requestID: by which whoever runs the server finds the request in the log.
  ///   - retryAfter: how long to wait before the same is asked again, where the answer says so.
  case unexpectedAnswer(status: Int, requestID: String?, retryAfter: Duration?)
  /// The answer is larger than it may be.
  case answerTooLarge
  /// What is to be sent cannot be read, or not be put beside what waits to be sent, for this reason.
  case unreadableFile(String)
}

extension MemeMeError {
  /// What the server said, where it said why.
  public var problem: Problem? {
    guard case .problem(let problem) = self else { return nil }
    return problem
  }

  /// What kind of problem the server told of.
  public var code: Problem.Code? { problem?.code }

  /// Whether nobody knows if what was asked for is done.
  public var isAmbiguous: Bool {
    switch self {
    case .connection, .timeout: true
    case .unexpectedAnswer(let status, _, _): status >= 500
    case .problem(let problem): problem.status == 500
    default: false
    }
  }
}

extension MemeMeError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .problem(let problem): "\(problem.title): \(problem.detail)"
    case .connection(let code): "No answer from the server (\(code.rawValue))."
    case .timeout: "The server did not answer in time."
    case .unexpectedAnswer(let status, _, _):
      "An answer that is not the server's, status \(status)."
    case .answerTooLarge: "The answer is too large."
    case .unreadableFile(let reason): "The file cannot be read: \(reason)"
    }
  }
}
