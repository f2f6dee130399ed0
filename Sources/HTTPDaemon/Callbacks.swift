import CMicroHTTPD
import Foundation
import HTTP
import Synchronization

/// The callbacks of libmicrohttpd.
///
/// All but `log` run on the worker thread that serves the connection, one at a time. The first parameter is the
/// worker's ``ConnectionRegistry``, which outlives libmicrohttpd's daemon.
enum Callbacks {
  typealias RequestLine =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer?

  /// Creates a connection's ``Client`` when the connection starts, and releases it when the connection ends.
  static let connection: MHD_NotifyConnectionCallback = { context, raw, slot, event in
    guard let slot else { return }
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
      guard let raw, let registry = registry(context) else { return }
      let client = Connection(raw: raw).makeClient(
        deadline: Moment.now.after(seconds: registry.headSeconds))
      slot.pointee = Unmanaged.passRetained(client).toOpaque()
      registry.connected(client)
    default:
      guard let pointer = slot.pointee else { return }
      slot.pointee = nil
      registry(context)?.disconnected(Unmanaged<Client>.fromOpaque(pointer).takeRetainedValue())
    }
  }

  /// Creates the request's ``Exchange`` when the request line has arrived. The target is still as the client sent it.
  /// The returned pointer becomes the request's context.
  static let requestLine: RequestLine = { context, target, raw in
    guard let registry = registry(context), let raw, let client = Connection(raw: raw).client else {
      return nil
    }
    let exchange = Exchange(
      target: target.flatMap { String(validatingCString: $0) },
      at: HeadLayout.Part(target, count: target.map { strlen($0) } ?? 0), from: client, in: registry
    )
    let retained = Unmanaged.passRetained(exchange)
    client.heading = (retained, Connection(raw: raw))
    return retained.toOpaque()
  }

  /// The access handler. libmicrohttpd calls it when the head is complete, then for each body chunk (`size` is not 0).
  ///
  /// A later call with a `size` of 0 means that the request is complete or that its connection was resumed.
  static let handler: MHD_AccessHandlerCallback = {
    _, raw, _, method, version, piece, size, context in
    guard let raw, let size, let exchange = exchange(context?.pointee) else { return .NO }
    let connection = Connection(raw: raw)
    let result: Exchange.CallbackResult
    if exchange.awaitsHead {
      exchange.client.heading = nil
      result = exchange.receiveHead(
        connection.head(
          method: method, version: version, target: exchange.target, at: exchange.targetPlace),
        connection)
    } else if size.pointee > 0 {
      result = exchange.receive(
        UnsafeRawBufferPointer(start: piece, count: piece == nil ? 0 : size.pointee), connection)
      size.pointee = 0
    } else {
      result = exchange.proceed(connection)
    }
    return result == .proceed ? .YES : .NO
  }

  /// The content reader of a streaming response. libmicrohttpd calls it when the system has taken the previous bytes,
  /// and when the connection was resumed.
  static let reader: MHD_ContentReaderCallback = { context, _, buffer, size in
    guard let exchange = exchange(context), let buffer else { return MHD_STREAM_END }
    switch exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .bytes(let count): return count
    case .nothing: return 0
    case .end: return MHD_STREAM_END
    }
  }

  /// Completes the request, whether it succeeded or not. Only this callback releases the exchange.
  static let completion: MHD_RequestCompletedCallback = { _, raw, context, code in
    guard let raw, let exchange = exchange(context?.pointee) else { return }
    if code == .REQUEST_TERMINATED_TIMEOUT_REACHED { exchange.registry.count(.slowReader) }
    exchange.client.heading = nil
    exchange.complete(
      Connection(raw: raw), wasSent: code == .REQUEST_TERMINATED_COMPLETED_OK)
    Unmanaged.passUnretained(exchange).release()
    context?.pointee = nil
  }

  /// Logs a message of libmicrohttpd. Runs on any thread, including the thread that starts or stops libmicrohttpd.
  static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = {
    context, line in
    guard let registry = registry(context), let line else { return }
    registry.configuration.log(
      String(cString: line).trimmingCharacters(in: .whitespacesAndNewlines))
    if HeadLayout.isKnown { registry.refuseHeads() }
  }

  private static func registry(_ context: UnsafeMutableRawPointer?) -> ConnectionRegistry? {
    context.map { Unmanaged<ConnectionRegistry>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Exchange {
  fileprivate var awaitsHead: Bool {
    state.withLock { state in
      if case .heading = state.phase { true } else { false }
    }
  }
}
