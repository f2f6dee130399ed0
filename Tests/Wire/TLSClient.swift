import CGnuTLS

/// The client side of TLS over a connected, blocking socket.
///
/// It accepts any certificate, because the tests make their own.
// GnuTLS allows one thread to send while another receives. The owner makes at most one call at a time in each
// direction.
final class TLSClient: @unchecked Sendable {
  private let session: gnutls_session_t
  private let credentials: gnutls_certificate_credentials_t

  /// Performs the handshake.
  ///
  /// - Parameter socket: a socket that the caller owns and keeps open while this object is in use.
  /// - Returns: `nil` if the peer does not speak TLS or aborts the handshake.
  init?(unverifiedOver socket: Int32) {
    var session: gnutls_session_t?
    var credentials: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&credentials) >= 0, let credentials else {
      return nil
    }
    guard
      gnutls_init(&session, UInt32(GNUTLS_CLIENT.rawValue) | UInt32(GNUTLS_NO_SIGNAL.rawValue))
        >= 0, let session
    else {
      gnutls_certificate_free_credentials(credentials)
      return nil
    }
    (self.session, self.credentials) = (session, credentials)
    gnutls_set_default_priority(session)
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    gnutls_transport_set_int2(session, socket, socket)
    var result: Int32
    repeat { result = gnutls_handshake(session) } while result < 0 && Self.isPassing(result)
    guard result >= 0 else { return nil }
  }

  deinit {
    gnutls_deinit(session)
    gnutls_certificate_free_credentials(credentials)
  }

  /// - Returns: the number of bytes sent, or a negative value if sending is impossible.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    gnutls_record_send(session, bytes.baseAddress, bytes.count)
  }

  /// - Returns: the number of bytes received, 0 at the end, or a negative value after an error or a timeout.
  func receive(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    var count: Int
    // After the handshake, the server may still send records that are not data.
    repeat {
      count = gnutls_record_recv(session, bytes.baseAddress, bytes.count)
    } while count
      == Int(GNUTLS_E_INTERRUPTED) || count == Int(GNUTLS_E_REHANDSHAKE)
    return count
  }

  private static func isPassing(_ result: Int32) -> Bool {
    gnutls_error_is_fatal(result) == 0 && result != GNUTLS_E_AGAIN
  }
}
