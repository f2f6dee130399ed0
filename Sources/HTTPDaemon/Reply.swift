import Bytes
import CMicroHTTPD
import Foundation
import HTTP

/// A `Response` as libmicrohttpd takes it. The body is handed over without a copy.
///
/// One that is sent again gets only its id anew: to make another would cost more than all the rest of a hot answer.
// Used by one exchange at a time, from its queueing to its completion. libmicrohttpd reads the fields when it is queued,
// and counts the references that it keeps under a lock of its own.
final class Reply: ResponseForm, @unchecked Sendable {
  private let raw: OpaquePointer
  private var id: RequestID?

  /// The buffer for a stream to a client of HTTP/1.0. All others get its bytes from the connection's memory.
  private static let oldStreamBytes = 1024

  /// - Parameters:
  ///   - response: a `Content-Length` or `Connection` among its fields is left out: both are libmicrohttpd's.
  ///   - exchange: where the response goes on, what is sent of it is read from there.
  /// - Returns: `nil` where there is no memory for it.
  init?(_ response: Response, of exchange: Exchange) {
    guard let made = response.stream == nil ? Self.whole(response) : Self.goingOn(exchange) else {
      return nil
    }
    raw = made
    for (name, value) in response.ownFields {
      // Refused where the value is empty: such a field says nothing.
      _ = MHD_add_response_header(raw, name.text, value.text)
    }
  }

  private static func whole(_ response: Response) -> OpaquePointer? {
    // libmicrohttpd sends no body with 304, as with HEAD, but its length; a length of 0 would be a lie (RFC 9110 §8.6).
    let isLengthKept = response.status == .notModified || !response.status.isBodiless
    if isLengthKept, let file = response.file { return part(file) }
    let body = isLengthKept ? response.body : Bytes()
    let (start, handle) = body.retained()
    // The buffer is only read: the parameter's type is older than const in this library.
    let made = MHD_create_response_from_buffer_with_free_callback_cls(
      body.count, UnsafeMutableRawPointer(mutating: start), releaseBody, handle)
    if made == nil { Bytes.release(handle) }
    return made
  }

  /// Of a file: the system sends it from the disk, but for TLS, which reads some KiB at a time.
  private static func part(_ part: FilePart) -> OpaquePointer? {
    // libmicrohttpd closes what it is given, also where other answers are still being sent of the same file.
    let descriptor = fcntl(part.file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    let made = MHD_create_response_from_fd_at_offset64(
      UInt64(part.range.count), descriptor, UInt64(part.range.lowerBound))
    if made == nil { close(descriptor) }
    return made
  }

  private static func goingOn(_ exchange: Exchange) -> OpaquePointer? {
    let handle = Unmanaged.passRetained(exchange)
    let made = MHD_create_response_from_callback(
      MHD_LENGTH_UNKNOWN, oldStreamBytes, Callbacks.reader, handle.toOpaque(), releaseExchange)
    guard let made else {
      handle.release()
      return nil
    }
    // libmicrohttpd 0.9 ends what comes in chunks by an empty one, after HEAD too.
    if exchange.isHead { mhd_end_with_response(made) }
    return made
  }

  deinit { MHD_destroy_response(raw) }

  /// Queues it on a connection, inside of the handler callback.
  ///
  /// - Parameters:
  ///   - id: goes out as `X-Request-Id`.
  ///   - closing: whether the connection ends with this response. It can be sent once only then.
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
  /// The fields that the service may set: how the message is framed is not its business.
  var ownFields: some Sequence<(name: HeaderName, value: HeaderValue)> {
    headers.fields.lazy.filter {
      $0.name != .contentLength && $0.name != .connection && $0.name != .transferEncoding
    }
  }
}

/// Called once, when the last connection that sends the body is done with it, on that connection's thread.
private let releaseBody: MHD_ContentReaderFreeCallback = { handle in
  if let handle { Bytes.release(handle) }
}

/// Called once, when the connection is done with the answer, on its thread.
private let releaseExchange: MHD_ContentReaderFreeCallback = { handle in
  if let handle { Unmanaged<Exchange>.fromOpaque(handle).release() }
}
