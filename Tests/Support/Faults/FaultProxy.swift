import Eventually
import Foundation
import Synchronization
import Wire

/// A proxy between clients and a server on 127.0.0.1 that simulates network faults. See ``Fault``.
///
/// It reads each request completely, and opens a connection to the server for each request. Each client has its own
/// thread.
package final class FaultProxy: Sendable {
  private struct State {
    var server: UInt16
    var choose: @Sendable (String) -> Fault
    var tell: @Sendable (String) -> Void = { _ in }
    var clients: [ObjectIdentifier: WireSocket] = [:]
    var met: [String: Int] = [:]
    var late = 0
  }

  private let listener: WireSocket
  private let state: Mutex<State>

  /// - Parameters:
  ///   - server: the port to which requests are forwarded.
  ///   - choose: chooses the fault of the next request, by its method and path. Called on any thread, one call at a
  ///     time.
  package init(
    to server: Int, choosing choose: @escaping @Sendable (String) -> Fault = { _ in .none }
  ) throws {
    listener = try WireSocket(listeningOn: 0)
    state = Mutex(State(server: UInt16(clamping: server), choose: choose))
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() {
        state.withLock { $0.clients[ObjectIdentifier(client)] = client }
        Thread.detachNewThread { [self] in
          serve(client)
          state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) }
          client.shut()
        }
      }
    }
  }

  /// The port for clients.
  package var port: Int { Int(listener.port) }

  /// Forwards requests to another port from now on, after a restart of the server.
  package func lead(to server: Int) { state.withLock { $0.server = UInt16(clamping: server) } }

  package func choose(by choose: @escaping @Sendable (String) -> Fault) {
    state.withLock { $0.choose = choose }
  }

  /// Sets a function that is called with every fault and every response of the server, on any thread. The proxy waits
  /// for it.
  package func tell(_ tell: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.tell = tell }
  }

  /// The number of requests for each fault.
  package var met: [String: Int] { state.withLock(\.met) }

  /// Waits until no overtaken request is in transit.
  package func settle() async throws {
    try await eventually("no overtaken request is in transit") {
      state.withLock { $0.late } == 0
    }
  }

  /// Accepts no more clients, and ends the existing connections.
  package func stop() {
    listener.shut()
    state.withLock { $0.clients.values.forEach { $0.shut() } }
  }

  private func serve(_ client: WireSocket) {
    var rest: [UInt8] = []
    while let request = HTTPMessage(
      from: client, &rest, interim: { client.send("HTTP/1.1 100 Continue\r\n\r\n".utf8) })
    {
      let fault = state.withLock { state in
        let fault = state.choose(request.name)
        let kind = "\(fault)".prefix { $0 != "(" }
        state.met[String(kind), default: 0] += 1
        if fault != .none { state.tell("\(request.subject) meets \(fault)") }
        return fault
      }
      guard pass(request, of: client, fault) else { return }
    }
  }

  /// - Returns: whether the client's connection stays open.
  private func pass(_ request: HTTPMessage, of client: WireSocket, _ fault: Fault) -> Bool {
    switch fault {
    case .none: break
    case .drop: return false
    case .loseAnswer:
      _ = answer(to: request)
      return false
    case .cutRequest(let share):
      let server = try? WireSocket(connectingTo: state.withLock(\.server))
      server?.send(request.bytes.prefix(Int(share * Double(request.bytes.count))))
      server?.resetWhenClosed()
      return false
    case .cutAnswer(let share):
      guard let answer = answer(to: request) else { return false }
      client.send(answer.bytes.prefix(Int(share * Double(answer.bytes.count))))
      return false
    case .delay(let milliseconds): usleep(UInt32(milliseconds) * 1000)
    case .duplicate: _ = answer(to: request)
    case .overtaken(let milliseconds):
      state.withLock { $0.late += 1 }
      Thread.detachNewThread { [self] in
        usleep(UInt32(milliseconds) * 1000)
        _ = answer(to: request)
        state.withLock { $0.late -= 1 }
      }
      return false
    }
    guard let answer = answer(to: request) else { return false }
    return client.send(answer.bytes)
  }

  /// - Returns: the response of the server, or `nil` if the connection ends before the response is complete.
  private func answer(to request: HTTPMessage) -> HTTPMessage? {
    guard let server = try? WireSocket(connectingTo: state.withLock(\.server)) else {
      state.withLock { $0.tell("\(request.subject) finds no server") }
      return nil
    }
    server.send(request.bytes)
    var rest: [UInt8] = []
    while let answer = HTTPMessage(from: server, &rest, isBodiless: request.isToHead) {
      guard !answer.bytes.starts(with: Array("HTTP/1.1 1".utf8)) else { continue }
      state.withLock { $0.tell("\(request.subject) is answered \(answer.status)") }
      return answer
    }
    state.withLock { $0.tell("\(request.subject) has no answer") }
    return nil
  }
}
