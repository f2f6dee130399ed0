import CGnuTLS

/// The client's end of TLS over a socket that is connected and blocks.
///
/// It believes whatever certificate it is shown: a test has made it.
// GnuTLS lets one thread send while another receives; each of them takes one call at a time, which is the owner's duty.
final class TLSClient: @unchecked Sendable {
  private let session: gnutls_session_t
  private let credentials: gnutls_certificate_credentials_t

  /// Shakes hands.
  ///
  /// - Parameter socket: stays the caller's, who keeps it open as long as this is used.
  /// - Returns: `nil` where the other end does not speak TLS, or gives up.
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

  /// - Returns: how many bytes were taken; negative where none can be.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    gnutls_record_send(session, bytes.baseAddress, bytes.count)
  }

  /// - Returns: how many bytes came; 0 at the end, negative where it broke or took too long.
  func receive(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    var count: Int
    // After the handshake the server may still have to say something that is not data.
    repeat {
      count = gnutls_record_recv(session, bytes.baseAddress, bytes.count)
    } while count
      == Int(GNUTLS_E_INTERRUPTED) || count == Int(GNUTLS_E_REHANDSHAKE)
    return count
  }

  /// Says that nothing more will be sent, and goes on reading.
  func finishSending() { gnutls_bye(session, GNUTLS_SHUT_WR) }

  private static func isPassing(_ result: Int32) -> Bool {
    gnutls_error_is_fatal(result) == 0 && result != GNUTLS_E_AGAIN
  }
}
