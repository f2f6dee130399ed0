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

  /// The client at the other end, for a connection that begins.
  func makeClient(deadline: Moment) -> Client {
    let info = mhd_connection_info(raw, .CONNECTION_INFO_CLIENT_ADDRESS)
    let peer = info?.pointee.client_addr.flatMap { SocketAddress($0) }?.host ?? ""
    return Client(peer: peer, socket: socket, deadline: deadline)
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

  /// Writes past libmicrohttpd, as much as the socket takes at once. Inside of its callbacks only.
  ///
  /// A session of TLS that has seen an end without a goodbye, be it the inspector's, takes nothing.
  ///
  /// - Returns: whether that was all of it.
  func write(_ message: PlainMessage) -> Bool {
    if let session = mhd_connection_info(raw, .CONNECTION_INFO_GNUTLS_SESSION) {
      return message.write(to: OpaquePointer(session.pointee.tls_session))
    }
    return socket.map { message.write(to: $0) } ?? false
  }
}
