import Foundation

/// The reason why a daemon does not start.
package enum DaemonError: Error, Equatable {
  /// The host is neither an address nor a name that resolves.
  case unknownHost(String)
  /// The server cannot listen on the address. `errno` has the reason.
  case cannotListen(host: String, port: UInt16, errno: Int32)
  /// A thread, its pipe, or its libmicrohttpd daemon could not be created.
  case cannotStart
  /// The daemon was already started once.
  case alreadyStarted
}

extension DaemonError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownHost(let host): "\(host) is not an IP address and does not resolve"
    case .cannotListen(let host, let port, let code):
      "cannot listen on \(host) port \(port): \(String(cString: strerror(code)))"
    case .cannotStart: "cannot start a thread or its libmicrohttpd daemon"
    case .alreadyStarted: "the daemon was already started"
    }
  }
}
