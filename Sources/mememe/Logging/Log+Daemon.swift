/// Loggers for the HTTP daemon.
extension Log {
  /// Logs messages of libmicrohttpd, for debugging failed connections.
  package var library: @Sendable (String) -> Void {
    { [self] in write(.debug, "libmicrohttpd", [("cause", .text($0))]) }
  }

  /// Logs that the daemon cannot accept connections.
  package var connections: @Sendable (String) -> Void {
    { [self] in write(.warning, "connections", [("cause", .text($0))]) }
  }
}
