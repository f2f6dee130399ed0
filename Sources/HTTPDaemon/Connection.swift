import CMicroHTTPD
import Foundation
import HTTP

/// A connection of libmicrohttpd.
///
/// libmicrohttpd owns its memory. The memory is valid in every callback that receives the connection,
/// and while the connection is suspended.
// Any thread may call resume(): libmicrohttpd locks that state, and does not free a connection that is suspended.
// All other methods run only on the connection's thread, inside libmicrohttpd's callbacks.
struct Connection: @unchecked Sendable {
  let raw: OpaquePointer

  /// Creates the client of a new connection.
  func makeClient(deadline: Moment) -> Client {
    let info = mhd_connection_info(raw, .CONNECTION_INFO_CLIENT_ADDRESS)
    let peer = info?.pointee.client_addr.flatMap { SocketAddress($0) }?.host ?? ""
    return Client(peer: peer, socket: socket, deadline: deadline)
  }

  /// The connection's client. It exists from the start of the connection until the connection is closed.
  var client: Client? {
    guard let info = mhd_connection_info(raw, .CONNECTION_INFO_SOCKET_CONTEXT),
      let pointer = info.pointee.socket_context
    else { return nil }
    return Unmanaged<Client>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The socket. libmicrohttpd reads and closes it.
  var socket: Int32? {
    mhd_connection_info(raw, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd
  }

  /// The status of the queued response, including a response that libmicrohttpd made itself.
  var queuedStatus: Status? {
    mhd_connection_info(raw, .CONNECTION_INFO_HTTP_STATUS).map {
      Status(Int($0.pointee.http_status))
    }
  }

  /// Queues a response. libmicrohttpd keeps its own reference to it. Call it only inside the access handler.
  func queue(_ reply: OpaquePointer, _ status: Status) -> Bool {
    MHD_queue_response(raw, UInt32(clamping: status.code), reply) == .YES
  }

  /// Suspends all work on this connection. Call it only inside the access handler or the content reader.
  func suspend() { MHD_suspend_connection(raw) }

  /// Resumes a suspended connection. Safe to call on any thread.
  func resume() { MHD_resume_connection(raw) }

  /// Writes to the socket without libmicrohttpd, as much as the socket takes at once. Call it
  /// only inside libmicrohttpd's callbacks.
  ///
  /// A TLS session that has read the end of the stream without a close notification takes no data. This also applies if
  /// the inspector caused that end.
  ///
  /// - Returns: whether the whole message was written.
  func write(_ message: PlainMessage) -> Bool {
    if let session = mhd_connection_info(raw, .CONNECTION_INFO_GNUTLS_SESSION) {
      return message.write(to: OpaquePointer(session.pointee.tls_session))
    }
    return socket.map { message.write(to: $0) } ?? false
  }
}
