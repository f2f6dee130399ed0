package import HTTP

/// The settings of a ``Daemon``.
package struct DaemonConfiguration: Sendable {
  /// The address or host name to listen on.
  package var host: String
  /// The port to listen on; 0 selects any free port.
  package var port: UInt16
  /// The number of threads that transfer data and run handlers until they first suspend.
  package var threads: Int
  /// The server's certificate and key for TLS, or `nil` for plain HTTP.
  package var identity: TLSIdentity?
  /// The maximum number of open connections. Clients over the limit get a 503.
  package var maximumConnections = 1000
  /// The maximum number of connections of one network. Trusted proxies and the local machine are exempt.
  package var maximumConnectionsOfNetwork = 128
  /// The number of connections that are reserved for clients that send a head quickly. Each new one ends the
  /// connection that has been silent longest.
  var reservedConnections: Int { min(32, maximumConnections / 4) }
  /// The maximum size of the request line and the header fields together, in bytes.
  ///
  /// Each connection keeps twice as much memory, which libmicrohttpd clears for each request.
  package var maximumHeaderBytes = 16 << 10
  /// The proxies that the server trusts to report client addresses.
  package var trustedProxies = TrustedProxies()
  /// The time limits of clients and handlers.
  package var deadlines = Deadlines()
  /// Receives libmicrohttpd's log messages, on any thread.
  package var log: @Sendable (String) -> Void = { _ in }
  /// Receives warnings for the operator: the server cannot accept more connections, or a proxy is not configured.
  package var warn: @Sendable (String) -> Void = { _ in }

  package init(host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2) {
    (self.host, self.port, self.threads) = (host, port, threads)
  }
}
