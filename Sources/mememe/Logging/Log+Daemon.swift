/// What a daemon has to say, as lines of the log.
extension Log {
  /// What libmicrohttpd says: for who looks into a connection that failed.
  package var library: @Sendable (String) -> Void {
    { [self] in write(.debug, "libmicrohttpd", [("cause", .text($0))]) }
  }

  /// That connections cannot be taken.
  package var connections: @Sendable (String) -> Void {
    { [self] in write(.warning, "connections", [("cause", .text($0))]) }
  }
}
