import CMicroHTTPD
import Foundation
import HTTP

/// A connection of libmicrohttpd.
///
/// Its memory belongs to libmicrohttpd and is valid in every callback that names it, and as long as it is suspended.
// libmicrohttpd guards what resume() touches with a lock of its own; everything else is called on the thread that
// serves the connection, from inside its callbacks, or while the exchange's lock keeps the connection suspended.
struct Connection: @unchecked Sendable {
  let raw: OpaquePointer

  /// The request's head.
  func head(method: String, version: String, target: String?) -> RawHead {
    var fields: [RawHead.Field] = []
    fields.reserveCapacity(16)
    _ = withUnsafeMutablePointer(to: &fields) { fields in
      MHD_get_connection_values_n(raw, .HEADER_KIND, appendField, fields)
    }
    let size = mhd_connection_info(raw, .CONNECTION_INFO_REQUEST_HEADER_SIZE)
    return RawHead(
      method: method, version: version, target: target, fields: fields,
      byteCount: size.map { Int($0.pointee.header_size) } ?? 0)
  }

  /// The client at the other end: made when the connection was, kept until it is closed.
  var client: Client? {
    guard let info = mhd_connection_info(raw, .CONNECTION_INFO_SOCKET_CONTEXT),
      let pointer = info.pointee.socket_context
    else { return nil }
    return Unmanaged<Client>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The socket, which libmicrohttpd reads and closes.
  var socket: Int32? {
    mhd_connection_info(raw, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd
  }

  /// The status of the response that is queued, also where libmicrohttpd made it.
  var queuedStatus: Status? {
    mhd_connection_info(raw, .CONNECTION_INFO_HTTP_STATUS).map {
      Status(Int($0.pointee.http_status))
    }
  }

  /// Queues a response; libmicrohttpd keeps a reference of its own. Inside of the handler callback only.
  func queue(_ reply: OpaquePointer, _ status: Status) -> Bool {
    MHD_queue_response(raw, UInt32(clamping: status.code), reply) == .YES
  }

  /// Stops everything on this connection. Inside of the handler callback only.
  func suspend() { MHD_suspend_connection(raw) }

  /// Lets a suspended connection go on. On any thread.
  func resume() { MHD_resume_connection(raw) }

  /// Whether the client of a suspended connection has gone: libmicrohttpd does not look.
  ///
  /// A client that only stops sending counts as gone, as it does for libmicrohttpd once the connection is resumed.
  var isAbandoned: Bool {
    guard let socket else { return true }
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count >= 0 { return count == 0 }
    return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR
  }
}

/// Called once for each header field, inside of ``Connection/head(method:version:target:)`` and on its thread.
private let appendField: MHD_KeyValueIteratorN = { context, _, name, nameSize, value, valueSize in
  guard let context, let name else { return .NO }
  let fields = context.assumingMemoryBound(to: [RawHead.Field].self)
  let nameBytes = UnsafeRawBufferPointer(start: name, count: nameSize)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
  fields.pointee.append(
    RawHead.Field(
      name: String(decoding: nameBytes, as: UTF8.self),
      value: String(decoding: valueBytes, as: UTF8.self),
      isFolded: value.map { !isOnOneLine(name, nameSize, $0) } ?? false))
  return .YES
}

/// Whether a field's value stands right behind its name, as in what was sent.
///
/// Where a line begins with a blank, libmicrohttpd 0.9 moves the *name* of the field before it to new memory and adds
/// the line to it, so that `Transfer-Encodin: chunked` can become `Transfer-Encoding`. Nothing else tells.
private func isOnOneLine(
  _ name: UnsafePointer<CChar>, _ nameSize: Int, _ value: UnsafePointer<CChar>
) -> Bool {
  let nameEnd = UnsafeRawPointer(name) + nameSize
  let gap = UnsafeRawPointer(value) - nameEnd
  guard (1...(64 << 10)).contains(gap) else { return false }
  let between = UnsafeRawBufferPointer(start: nameEnd + 1, count: gap - 1)
  return between.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
}
