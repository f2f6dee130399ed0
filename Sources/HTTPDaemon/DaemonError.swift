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
    case .unknownHost(let host): "\(host) is not an address, and no name that resolves"
    case .cannotListen(let host, let port, let code):
      "cannot listen at port \(port) of \(host): \(String(cString: strerror(code)))"
    case .cannotStart: "a thread or its libmicrohttpd daemon could not be made"
    case .alreadyStarted: "the daemon was started before"
    }
  }
}
