import Bytes
import CGnuTLS
import Foundation
import HTTP

/// A response as it stands on the wire, for the moments when libmicrohttpd takes none.
struct PlainMessage {
  /// The whole message; it says that the connection ends.
  let bytes: [UInt8]

  /// - Parameter withBody: `false` where the request was HEAD.
  init(_ response: Response, withBody: Bool = true) {
    // The reason phrase may be empty, but not the blank before it (RFC 9112 §4).
    var text = "HTTP/1.1 \(response.status.code) \r\n"
    for (name, value) in response.ownFields { text += "\(name.text): \(value.text)\r\n" }
    text += "content-length: \(response.body.count)\r\nconnection: close\r\n\r\n"
    var message = Array(text.utf8)
    if withBody { response.body.withUnsafeBytes { message.append(contentsOf: $0) } }
    bytes = message
  }

  /// Writes as much as a non-blocking socket takes at once.
  ///
  /// - Returns: whether that was all of it.
  @discardableResult
  func write(to socket: Int32) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return send(socket, bytes, bytes.count, flags) == bytes.count
  }

  /// The same through a session of TLS over such a socket, on the thread that uses the session.
  func write(to session: gnutls_session_t?) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // A record has at most 16 KiB.
      let count = rest.withUnsafeBytes { gnutls_record_send(session, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
