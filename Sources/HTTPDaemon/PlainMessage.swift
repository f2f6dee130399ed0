import Bytes
import CGnuTLS
import Foundation
import HTTP

/// A response in wire format, for situations in which libmicrohttpd accepts no response.
struct PlainMessage {
  /// The whole message, with `Connection: close`.
  let bytes: [UInt8]

  /// - Parameter withBody: `false` if the request method was HEAD.
  init(_ response: Response, id: RequestID, withBody: Bool = true) {
    // The reason phrase may be empty, but the space before it is required (RFC 9112 §4).
    var text = "HTTP/1.1 \(response.status.code) \r\n"
    for (name, value) in response.ownFields { text += "\(name.text): \(value.text)\r\n" }
    text += "date: \(Self.date)\r\n\(HeaderName.xRequestID.text): \(id.text)\r\n"
    text += "content-length: \(response.body.count)\r\nconnection: close\r\n\r\n"
    var message = Array(text.utf8)
    if withBody { response.body.withUnsafeBytes { message.append(contentsOf: $0) } }
    bytes = message
  }

  /// The current time as an HTTP date (RFC 9110 §5.6.7). libmicrohttpd adds it to all other responses.
  private static var date: String {
    var moment = time(nil)
    var parts = tm()
    gmtime_r(&moment, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      // In the C locale, which the program keeps.
      let count = strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Writes as much as a non-blocking socket takes at once.
  ///
  /// - Returns: whether the whole message was written.
  @discardableResult
  func write(to socket: Int32) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return send(socket, bytes, bytes.count, flags) == bytes.count
  }

  /// Writes through a TLS session over such a socket. Call it on the thread that uses the session.
  func write(to session: gnutls_session_t?) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // A TLS record has at most 16 KiB.
      let count = rest.withUnsafeBytes { gnutls_record_send(session, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
