/// Why a daemon does not start.
package enum DaemonError: Error, Equatable {
  /// The host is not an address, and no name that resolves.
  case unknownHost(String)
  /// The address cannot be listened at; `errno` says why.
  case cannotListen(host: String, port: UInt16, errno: Int32)
  /// A thread or its libmicrohttpd daemon could not be made.
  case cannotStart
  /// It was started before.
  case alreadyStarted
}
