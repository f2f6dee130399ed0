/// How long clients and handlers are waited for.
package struct Deadlines: Sendable {
  /// How long a request's head may take from its request line on; a connection's first one from the connection on,
  /// the TLS handshake included.
  package var headSeconds = 10.0
  /// How long a connection may be kept until its next request line.
  package var keepAliveSeconds = 30.0
  /// How many bytes a second a body must come with, and an answer be taken with.
  package var minimumBytesPerSecond = 1024
  /// How far a body or an answer may fall behind that rate.
  package var graceSeconds = 10.0
  /// How long a handler may keep its client waiting. Then it is cancelled, and the client is answered 503.
  package var requestSeconds = 30.0

  /// How long an answer may not move at all, though there is time for all of it.
  var stillSeconds: Double { max(keepAliveSeconds, graceSeconds) }

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
