public import Foundation

/// The reason why a call failed. A cancelled call throws `CancellationError` instead.
public enum MemeMeError: Error, Sendable, Hashable {
  /// The server reported a problem.
  case problem(Problem)
  /// There was no response. The server may have executed the request, may still execute it, or never received it.
  case connection(URLError.Code)
  /// The call exceeded its time limit. As with ``connection(_:)``, the server may or may not execute the request.
  case timeout
  /// The response is not from a MemeMe server, but from a proxy or another server.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - requestID: The ID that identifies the request in the server log.
  ///   - retryAfter: How long to wait before another attempt, if the response specifies it.
  case unexpectedAnswer(status: Int, requestID: String?, retryAfter: Duration?)
  /// The response exceeds the maximum size.
  case answerTooLarge
  /// A file or the temporary copy of a request body cannot be read or written. The associated value is the reason.
  case unreadableFile(String)
}

extension MemeMeError {
  /// The problem that the server reported, if any.
  public var problem: Problem? {
    guard case .problem(let problem) = self else { return nil }
    return problem
  }

  /// The code of the problem that the server reported, if any.
  public var code: Problem.Code? { problem?.code }

  /// Whether it is unknown if the server executed the request.
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
    case .connection(let code): "No response from the server (\(code.rawValue))."
    case .timeout: "The server did not respond in time."
    case .unexpectedAnswer(let status, _, _):
      "Unexpected response with status \(status), not from a MemeMe server."
    case .answerTooLarge: "The response is too large."
    case .unreadableFile(let reason): "Cannot read the file: \(reason)"
    }
  }
}
