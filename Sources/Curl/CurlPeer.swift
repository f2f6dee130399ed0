/// Whom a transfer is for. It is called on the thread that runs the transfer, and must not block.
package protocol CurlPeer: AnyObject {
  /// There is a connection. Whether the request may be sent on it; libcurl asks again where it wants to send it once more,
  /// since a connection that was kept turned out to be dead.
  func mayBegin() -> Bool
  /// Puts the next piece of the request's body into the buffer.
  ///
  /// - Returns: how many bytes it has, 0 at the end; `nil` to end the transfer.
  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int?
  /// Takes a line of a head, of which there may be several before a body, and of trailers behind it.
  ///
  /// - Returns: whether the transfer may go on.
  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool
  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking
}

/// What became of a piece of a body.
package enum CurlTaking {
  case taken
  /// It comes again, after ``CurlHandle/resume()``.
  case later
  /// The transfer ends.
  case refused
}

extension CurlPeer {
  package func mayBegin() -> Bool { true }
  package func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { 0 }
  package func takeLine(_ line: UnsafeRawBufferPointer) -> Bool { true }
  package func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking { .taken }
}
