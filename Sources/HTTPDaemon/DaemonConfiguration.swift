/// What a ``Daemon`` needs to know before it starts.
package struct DaemonConfiguration: Sendable {
  /// An address or a name to listen at.
  package var host: String
  /// The port to listen at; 0 takes any that is free.
  package var port: UInt16
  /// How many threads move bytes and run what handlers do before they first wait.
  package var threads: Int
  /// How many connections may be open at once. Whoever comes after them is answered 503.
  package var maximumConnections: Int
  /// How long a connection may be silent, between requests or within one.
  package var idleSeconds: Int
  /// How long a handler may keep its client waiting. Then it is cancelled, and the client is answered 503.
  package var requestSeconds: Double
  /// How many bytes the request line and the header fields may have together.
  ///
  /// Twice as many are kept for each connection, and cleared by libmicrohttpd for each request.
  package var maximumHeaderBytes: Int
  /// Takes what libmicrohttpd has to say, on whatever thread it says it.
  package var log: @Sendable (String) -> Void
  /// Takes what an operator should know: that no more connections can be accepted.
  package var warn: @Sendable (String) -> Void

  package init(
    host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2, maximumConnections: Int = 1000,
    idleSeconds: Int = 30, requestSeconds: Double = 30, maximumHeaderBytes: Int = 16 << 10,
    log: @escaping @Sendable (String) -> Void = { _ in },
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.host, self.port, self.threads) = (host, port, threads)
    (self.maximumConnections, self.idleSeconds) = (maximumConnections, idleSeconds)
    (self.requestSeconds, self.maximumHeaderBytes) = (requestSeconds, maximumHeaderBytes)
    (self.log, self.warn) = (log, warn)
  }
}
