import Bytes
import CMicroHTTPD
import Foundation
import HTTP

/// A `Response` in libmicrohttpd's form. The body is not copied.
///
/// A reply that is sent again gets only a new request id. For a frequent response, creating a new reply
/// would cost more than all other work.
// One exchange at a time uses a reply, and puts it back into ResponseForms in the completion callback. After that
// callback, libmicrohttpd only releases its own reference to the response, under its own lock.
final class Reply: ResponseForm, @unchecked Sendable {
  private let raw: OpaquePointer
  private var id: RequestID?

  /// The size of the buffer for a stream to an HTTP/1.0 client. For all other clients,
  /// libmicrohttpd uses the connection's memory.
  private static let oldStreamBytes = 1024

  /// - Parameters:
  ///   - response: the initializer ignores its `Content-Length` and `Connection` fields,
  ///     because libmicrohttpd sets both.
  ///   - exchange: the source of the data, if the response is a streaming response.
  /// - Returns: `nil` if the process has no memory or descriptor for it.
  init?(_ response: Response, of exchange: Exchange) {
    guard let made = response.stream == nil ? Self.whole(response) : Self.goingOn(exchange) else {
      return nil
    }
    raw = made
    for (name, value) in response.ownFields {
      // libmicrohttpd refuses an empty value. Such a field carries no information.
      _ = MHD_add_response_header(raw, name.text, value.text)
    }
  }

  private static func whole(_ response: Response) -> OpaquePointer? {
    // For 304 and HEAD, libmicrohttpd sends the length of the body without the body. A
    // length of 0 would be wrong (RFC 9110 §8.6).
    let isLengthKept = response.status == .notModified || !response.status.isBodiless
    if isLengthKept, let file = response.file { return part(file) }
    if isLengthKept, response.remote != nil { return absent(response.byteCount) }
    let body = isLengthKept ? response.body : Bytes()
    let (start, handle) = body.retained()
    // libmicrohttpd only reads the buffer. Its parameter type predates `const` in this library.
    let made = MHD_create_response_from_buffer_with_free_callback_cls(
      body.count, UnsafeMutableRawPointer(mutating: start), releaseBody, handle)
    if made == nil { Bytes.release(handle) }
    return made
  }

  /// Creates the reply for a part of a file. The system sends it from the disk; over TLS,
  /// libmicrohttpd reads a few KiB at a time.
  private static func part(_ part: FilePart) -> OpaquePointer? {
    // libmicrohttpd closes its descriptor, even if other responses of the same file are still being sent.
    let descriptor = fcntl(part.file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    let made = MHD_create_response_from_fd_at_offset64(
      UInt64(part.range.count), descriptor, UInt64(part.range.lowerBound))
    if made == nil { close(descriptor) }
    return made
  }

  /// Creates the reply for bytes that were not read, because only their number is sent: in a 304, and for HEAD.
  private static func absent(_ count: Int) -> OpaquePointer? {
    MHD_create_response_from_callback(
      UInt64(count), 1, { _, _, _, _ in MHD_STREAM_ERROR }, nil, nil)
  }

  private static func goingOn(_ exchange: Exchange) -> OpaquePointer? {
    let handle = Unmanaged.passRetained(exchange)
    let made = MHD_create_response_from_callback(
      MHD_LENGTH_UNKNOWN, oldStreamBytes, Callbacks.reader, handle.toOpaque(), releaseExchange)
    guard let made else {
      handle.release()
      return nil
    }
    // libmicrohttpd 0.9 ends a chunked response with an empty chunk, even for HEAD.
    if exchange.isHead { mhd_end_with_response(made) }
    return made
  }

  deinit { MHD_destroy_response(raw) }

  /// Queues the reply on a connection. Call it only inside the access handler.
  ///
  /// - Parameters:
  ///   - id: sent as `X-Request-Id`.
  ///   - closing: whether the connection ends after this response. The reply can then be sent only once.
  func queue(on connection: Connection, _ status: Status, id: RequestID, closing: Bool) -> Bool {
    let name = HeaderName.xRequestID.text
    if let last = self.id { _ = MHD_del_response_header(raw, name, last.text) }
    _ = MHD_add_response_header(raw, name, id.text)
    self.id = id
    if closing { _ = MHD_add_response_header(raw, "connection", "close") }
    return connection.queue(raw, status)
  }
}

extension Response {
  /// The fields that the service may set, without those that frame the message.
  var ownFields: some Sequence<(name: HeaderName, value: HeaderValue)> {
    headers.fields.lazy.filter {
      $0.name != .contentLength && $0.name != .connection && $0.name != .transferEncoding
    }
  }
}

/// Called once, on any thread, when neither the reply nor a connection needs the body.
private let releaseBody: MHD_ContentReaderFreeCallback = { handle in
  if let handle { Bytes.release(handle) }
}

/// Called once, when the connection no longer needs the response, on its thread.
private let releaseExchange: MHD_ContentReaderFreeCallback = { handle in
  if let handle { Unmanaged<Exchange>.fromOpaque(handle).release() }
}
