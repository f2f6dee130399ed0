/// The time limits of clients and handlers.
package struct Deadlines: Sendable {
  /// How long a request's head may take after its request line. A connection's first head counts from the start of the
  /// connection, including the TLS handshake.
  package var headSeconds = 10.0
  /// How long a connection may be idle before its next request line.
  package var keepAliveSeconds = 30.0
  /// The minimum rate, in bytes per second, at which clients must send a body and read a response.
  package var minimumBytesPerSecond = 1024
  /// How far a body or a response may fall behind that rate.
  package var graceSeconds = 10.0
  /// How long a handler may keep its client waiting. Then the server cancels the handler and sends a 503.
  package var requestSeconds = 30.0

  /// How long a response may make no progress at all, even if its own deadline is later.
  var stillSeconds: Double { max(keepAliveSeconds, graceSeconds) }

  /// The deadline for the client to read a response of this size.
  func deadline(sending bytes: Int, from now: Moment) -> Moment {
    now.after(seconds: graceSeconds + Double(bytes) / Double(minimumBytesPerSecond))
  }

  /// The deadline for the next chunk of a body, after this chunk has arrived.
  ///
  /// Each byte extends the deadline by its share of a second, but the deadline is never further away than the grace
  /// time. So a client that sends a lot at first cannot be silent for long afterwards.
  func deadline(after deadline: Moment, receiving bytes: Int, at now: Moment) -> Moment {
    min(
      deadline.after(seconds: Double(bytes) / Double(minimumBytesPerSecond)),
      now.after(seconds: graceSeconds))
  }
}
