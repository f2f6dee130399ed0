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
  /// How many bytes the request line and the header fields may have together.
  ///
  /// Twice as many are kept for each connection, and cleared by libmicrohttpd for each request.
  package var maximumHeaderBytes = 16 << 10
  /// How long a request's head may take from its request line on; a connection's first one from the connection on,
  /// the TLS handshake included.
  package var headSeconds = 10.0
  /// How long a connection may be kept until its next request line.
  package var keepAliveSeconds = 30.0
  /// How many bytes a second a body must come with, and an answer be taken with.
  package var minimumBytesPerSecond = 1024
  /// How far a body or an answer may fall behind that rate, and how long an answer may not move at all.
  package var graceSeconds = 10.0
  /// How long a handler may keep its client waiting. Then it is cancelled, and the client is answered 503.
  package var requestSeconds = 30.0
  /// Takes what libmicrohttpd has to say, on whatever thread it says it.
  package var log: @Sendable (String) -> Void = { _ in }
  /// Takes what an operator should know: that no more connections can be accepted.
  package var warn: @Sendable (String) -> Void = { _ in }

  package init(host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2) {
    (self.host, self.port, self.threads) = (host, port, threads)
  }

  /// Until when an answer of this size must have been taken.
  func deadline(sending bytes: Int, from now: Moment) -> Moment {
    now.after(seconds: graceSeconds + Double(bytes) / Double(minimumBytesPerSecond))
  }

  /// Until when the next piece of a body must be here, once this one is.
  ///
  /// Every byte buys its share of a second, and what is saved is never more than the grace: who sends a lot at first
  /// may not be silent for long after it.
  func deadline(after deadline: Moment, receiving bytes: Int, at now: Moment) -> Moment {
    min(
      deadline.after(seconds: Double(bytes) / Double(minimumBytesPerSecond)),
      now.after(seconds: graceSeconds))
  }
}
