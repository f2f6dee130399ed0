/// What a daemon has to say, as lines of the log.
extension Log {
  /// What libmicrohttpd says: for who looks into a connection that failed.
  var library: @Sendable (String) -> Void {
    { [self] in write(.debug, "libmicrohttpd", [("message", .text($0))]) }
  }

  /// That connections cannot be taken.
  var connections: @Sendable (String) -> Void {
    { [self] in write(.warning, "connections", [("message", .text($0))]) }
  }
}
