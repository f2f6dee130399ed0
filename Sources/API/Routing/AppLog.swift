package import HTTP

/// The log for operators. Safe to use from any thread.
package protocol AppLog: Sendable {
  /// Whether ``access(_:)`` writes to the log.
  var takesAccess: Bool { get }

  /// Logs a completed request.
  func access(_ record: AccessRecord)

  /// Logs a failure that the client did not cause.
  func failure(_ cause: String, id: RequestID)
}
