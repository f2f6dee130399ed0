import CMicroHTTPD
import Foundation
import HTTP

/// One libmicrohttpd daemon: one thread with an epoll loop, which serves the connections that the acceptor hands over.
///
/// It has no listening socket. If libmicrohttpd listened itself, `MHD_quiesce_daemon` and the daemon's thread could
/// both remove the socket from epoll. The second removal aborts the process.
// The fields never change, and libmicrohttpd accepts a connection from any thread. stop() waits for its thread, then
// frees the memory. It is called once, after the acceptor's last call to serve(_:from:size:).
final class Worker: @unchecked Sendable {
  private let raw: OpaquePointer
  /// The context of the callbacks, retained until the daemon has stopped.
  private let registry: Unmanaged<ConnectionRegistry>
  private let logger: UnsafeMutablePointer<mhd_line_logger>

  init(_ registry: ConnectionRegistry) throws(DaemonError) {
    let configuration = registry.configuration
    let retained = Unmanaged.passRetained(registry)
    let identity = configuration.identity
    let flags =
      (identity == nil ? 0 : MHD_USE_TLS.rawValue) | MHD_USE_AUTO.rawValue
      | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
      | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue
    let logger = UnsafeMutablePointer<mhd_line_logger>.allocate(capacity: 1)
    logger.initialize(to: mhd_line_logger(context: retained.toOpaque(), write: Callbacks.log))
    var options = [
      // The first option, so that it receives libmicrohttpd's messages about the others.
      mhd_logger_option(logger),
      // The memory for the head and for chunks of a body. libmicrohttpd itself refuses a head that fills it.
      Self.option(.CONNECTION_MEMORY_LIMIT, 2 * configuration.maximumHeaderBytes),
      Self.option(.CONNECTION_LIMIT, configuration.maximumConnections),
      // This timeout counts only silence, including that of slow readers. The inspector handles idle connections.
      Self.option(
        .CONNECTION_TIMEOUT, Int(configuration.deadlines.stillSeconds.rounded(.up))),
      // The framing gate finds the errors that libmicrohttpd 0.9 overlooks. Strict mode
      // would only replace the problem document.
      Self.option(.STRICT_FOR_CLIENT, HeadLayout.isKnown ? 0 : 1),
      Self.option(.NOTIFY_CONNECTION, Self.address(Callbacks.connection), retained),
      Self.option(.URI_LOG_CALLBACK, Self.address(Callbacks.requestLine), retained),
      Self.option(.NOTIFY_COMPLETED, Self.address(Callbacks.completion), retained),
    ]
    let started = Self.withOptions(for: identity) { more in
      options += more + [Self.option(.END, 0)]
      return options.withUnsafeMutableBufferPointer { options in
        let list: [any CVarArg] = [
          MHD_OPTION.ARRAY.rawValue, options.baseAddress.map { Int(bitPattern: $0) } ?? 0,
          MHD_OPTION.END.rawValue,
        ]
        return withVaList(list) {
          MHD_start_daemon_va(flags, 0, nil, nil, Callbacks.handler, retained.toOpaque(), $0)
        }
      }
    }
    guard let started else {
      logger.deallocate()
      retained.release()
      throw .cannotStart
    }
    (raw, self.registry, self.logger) = (started, retained, logger)
  }

  /// Serves a connection. libmicrohttpd owns the socket from here on, even if this fails. Safe to call on any thread.
  func serve(_ socket: Int32, from address: UnsafePointer<sockaddr>, size: socklen_t) -> Bool {
    MHD_add_connection(raw, socket, address, size) == .YES
  }

  /// Closes all connections, and waits for the thread. Call it once, when no exchange is suspended.
  func stop() {
    MHD_stop_daemon(raw)
    logger.deallocate()
    registry.release()
  }

  /// Calls `body` with the options for TLS. libmicrohttpd reads the memory behind them while
  /// it starts, and keeps no pointer to it.
  private static func withOptions<Result>(
    for identity: TLSIdentity?, _ body: ([MHD_OptionItem]) -> Result
  ) -> Result {
    guard let identity else { return body([]) }
    return identity.certificate.withUnsafeBytes { certificate in
      identity.key.withUnsafeBytes { key in
        TLSIdentity.priorities.withCString { priorities in
          body([
            text(.HTTPS_MEM_CERT, certificate.baseAddress), text(.HTTPS_MEM_KEY, key.baseAddress),
            text(.HTTPS_PRIORITIES, UnsafeRawPointer(priorities)),
          ])
        }
      }
    }
  }

  private static func text(_ option: MHD_OPTION, _ text: UnsafeRawPointer?) -> MHD_OptionItem {
    MHD_OptionItem(
      option: option, value: 0, ptr_value: UnsafeMutableRawPointer(mutating: text))
  }

  private static func option(
    _ option: MHD_OPTION, _ value: Int, _ pointer: Unmanaged<ConnectionRegistry>? = nil
  ) -> MHD_OptionItem {
    MHD_OptionItem(option: option, value: value, ptr_value: pointer?.toOpaque())
  }

  /// A callback's address, in the form that the list of options needs.
  private static func address<Callback>(_ callback: Callback) -> Int {
    unsafeBitCast(callback, to: Int.self)
  }
}
