/// A daemon's counters and current values. Each number is read separately, so they
/// may be from slightly different moments.
package struct DaemonStatistics: Sendable {
  package var openConnections = 0
  /// Since the start, like the next two properties.
  package var acceptedConnections = 0
  /// Connections over the connection limit, or over the process's limit of open files.
  package var refusedConnections = 0
  package var cutConnections: [CutReason: Int] = [:]
  /// Requests whose request line has arrived and that are not complete.
  package var runningRequests = 0
  /// The running requests with a streaming response.
  package var openStreams = 0
}

/// Why the daemon ended a connection. ``Deadlines`` has the time limits.
package enum CutReason: UInt8, CaseIterable, Sendable {
  /// The request's head, or the TLS handshake before it, did not arrive in time.
  case slowHead = 1
  /// The client sent the body below the minimum rate.
  case slowBody
  /// The client read the response below the minimum rate, or not at all.
  case slowReader
  /// The client sent no further request in time.
  case silent
  /// The connection was silent, and another client needed its place.
  case displaced

  /// The name for logs and metric labels.
  package var name: String {
    switch self {
    case .slowHead: "slow-head"
    case .slowBody: "slow-body"
    case .slowReader: "slow-reader"
    case .silent: "silent"
    case .displaced: "displaced"
    }
  }
}
