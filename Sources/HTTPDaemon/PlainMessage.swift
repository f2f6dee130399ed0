import Bytes
import Foundation
import HTTP

/// A response as it stands on the wire, for the moments when libmicrohttpd takes none.
enum PlainMessage {
  /// The whole message; it says that the connection ends.
  static func bytes(of response: Response, id: RequestID) -> [UInt8] {
    // The reason phrase may be empty, but not the blank before it (RFC 9112 §4).
    var text = "HTTP/1.1 \(response.status.code) \r\n"
    for (name, value) in response.ownFields { text += "\(name.text): \(value.text)\r\n" }
    text += "\(HeaderName.xRequestID.text): \(id.text)\r\n"
    text += "content-length: \(response.body.count)\r\nconnection: close\r\n\r\n"
    var message = Array(text.utf8)
    response.body.withUnsafeBytes { message.append(contentsOf: $0) }
    return message
  }

  /// Writes as much as a non-blocking socket takes at once.
  ///
  /// - Returns: whether that was all of it.
  @discardableResult
  static func write(_ response: Response, id: RequestID, to socket: Int32) -> Bool {
    let message = bytes(of: response, id: id)
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return send(socket, message, message.count, flags) == message.count
  }
}
