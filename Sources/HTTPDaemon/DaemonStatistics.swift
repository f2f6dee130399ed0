/// What a daemon has done, and is doing. The numbers are taken one by one: they may be a moment apart.
package struct DaemonStatistics: Sendable {
  package var openConnections = 0
  /// Since the start, as are the two after it.
  package var acceptedConnections = 0
  /// Beyond the limit of connections, or of the files that the process may open.
  package var refusedConnections = 0
  package var cutConnections: [CutReason: Int] = [:]
  /// Requests whose request line has arrived, and that are not over.
  package var runningRequests = 0
  /// Those of them whose answer goes on.
  package var openStreams = 0
}

/// Why the daemon ended a connection by itself. Each has a time of its own in ``DaemonConfiguration``.
package enum CutReason: UInt8, CaseIterable, Sendable {
  /// A request's head, or the TLS handshake before it, did not arrive in time.
  case slowHead = 1
  /// A body came more slowly than bodies must.
  case slowBody
  /// An answer was taken more slowly than answers must, or not at all.
  case slowReader
  /// No further request came.
  case silent
  /// It was silent while another one needed its place.
  case displaced

  /// For logs and labels.
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
