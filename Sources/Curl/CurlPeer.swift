/// Receives the callbacks of a transfer, on the thread that runs the transfer. It must not block.
package protocol CurlPeer: AnyObject {
  /// Called before libcurl connects, if ``CurlHandle/checkAddresses()`` was called.
  ///
  /// - Parameter address: an IPv4 or IPv6 address as text. An IPv6 address may have a zone.
  func mayConnect(to address: String) -> Bool
  /// Called when there is a connection. libcurl calls it again if a reused connection was dead
  /// and it has to send the request again.
  ///
  /// - Returns: whether to send the request on this connection.
  func mayBegin() -> Bool
  /// Writes the next piece of the request body into the buffer.
  ///
  /// - Returns: the number of bytes written, 0 at the end of the body, or `nil` to abort the transfer.
  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int?
  /// Receives a header line. There may be several header blocks before the body, and trailers after it.
  ///
  /// - Returns: whether to continue the transfer.
  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool
  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking
}

/// The outcome of passing a piece of a response body to a ``CurlPeer``.
package enum CurlTaking {
  case taken
  /// libcurl delivers the piece again after ``CurlHandle/resume()``.
  case later
  /// The transfer is aborted.
  case refused
}

extension CurlPeer {
  package func mayConnect(to address: String) -> Bool { true }
  package func mayBegin() -> Bool { true }
  package func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { 0 }
  package func takeLine(_ line: UnsafeRawBufferPointer) -> Bool { true }
  package func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking { .taken }
}
