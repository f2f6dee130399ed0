package import HTTP

/// What a ``Daemon`` needs to know before it starts.
package struct DaemonConfiguration: Sendable {
  /// An address or a name to listen at.
  package var host: String
  /// The port to listen at; 0 takes any that is free.
  package var port: UInt16
  /// How many threads move bytes and run what handlers do before they first wait.
  package var threads: Int
  /// What the server shows to its clients where it speaks TLS; `nil` where it speaks plain HTTP.
  package var identity: TLSIdentity?
  /// How many connections may be open at once. Whoever comes after them is answered 503.
  package var maximumConnections = 1000
  /// How many of them one network may have open, unless it is a trusted proxy or the machine itself.
  package var maximumConnectionsOfNetwork = 128
  /// How many of them are for clients that send a head quickly; a new one of them ends the connection that has been silent longest.
  var reservedConnections: Int { min(32, maximumConnections / 4) }
  /// How many bytes the request line and the header fields may have together.
  ///
  /// Twice as many are kept for each connection, and cleared by libmicrohttpd for each request.
  package var maximumHeaderBytes = 16 << 10
  /// Whose word is taken for the address of the client.
  package var trustedProxies = TrustedProxies()
  /// How long clients and handlers are waited for.
  package var deadlines = Deadlines()
  /// Takes what libmicrohttpd has to say, on whatever thread it says it.
  package var log: @Sendable (String) -> Void = { _ in }
  /// Takes what an operator should know: that no more connections can be accepted, or that a proxy is not named.
  package var warn: @Sendable (String) -> Void = { _ in }

  package init(host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2) {
    (self.host, self.port, self.threads) = (host, port, threads)
  }
}
