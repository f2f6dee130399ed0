import Foundation
import HTTP

/// A thread that accepts connections and distributes them to the workers in turn.
///
/// Connections over the limit get a 503; libmicrohttpd would leave them hanging.
final class Acceptor: Sendable {
  private let listener: Listener
  private let workers: [Worker]
  private let registry: ConnectionRegistry
  private let stopping: WakeUp
  private let isOver = DispatchSemaphore(value: 0)

  init(_ listener: Listener, _ workers: [Worker], _ registry: ConnectionRegistry)
    throws(DaemonError)
  {
    (self.listener, self.workers, self.registry) = (listener, workers, registry)
    stopping = try WakeUp()
  }

  func start() {
    let thread = Thread { [self] in
      run()
      isOver.signal()
    }
    thread.name = "accept"
    thread.start()
  }

  /// Accepts the connections that are already queued, then ends the thread. Call it once;
  /// it returns when the thread has ended.
  func stop() {
    stopping.signal()
    isOver.wait()
  }

  private func run() {
    var turn = 0
    var isLast = false
    var spare = SpareDescriptor()
    var states = [listener.socket, stopping.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while !isLast {
      // A signal can interrupt the call.
      guard poll(&states, nfds_t(states.count), -1) > 0 else { continue }
      isLast = states[1].revents != 0
      guard states[0].revents != 0 else { continue }
      // The backlog bounds the loop, so that a flood of connections cannot prevent the thread from stopping.
      for _ in 0..<Listener.backlog {
        guard accept(onto: workers[turn % workers.count], &spare) else { break }
        turn += 1
      }
    }
  }

  /// - Returns: whether to try to accept another connection.
  private func accept(onto worker: Worker, _ spare: inout SpareDescriptor) -> Bool {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let socket = Foundation.accept(listener.socket, address, &size)
        guard socket >= 0 else {
          let failure = errno
          if failure == EMFILE || failure == ENFILE || failure == ENOMEM || failure == ENOBUFS {
            return lackRoom(failure, &spare)
          }
          return failure == EINTR || failure == ECONNABORTED
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let peer = SocketAddress(address)?.host ?? ""
        guard registry.admitConnection(from: peer) else {
          turnAway(socket)
          return true
        }
        if !worker.serve(socket, from: address, size: size) { registry.disconnected(from: peer) }
        return true
      }
    }
  }

  /// Handles an exhaustion of file descriptors or memory.
  ///
  /// It accepts the connection with the spare descriptor and refuses it. If the connection stayed in the queue, the
  /// listening socket would stay readable and this thread would spin.
  private func lackRoom(_ failure: Int32, _ spare: inout SpareDescriptor) -> Bool {
    // Linux looks for a free descriptor first, and only then for a connection.
    guard listener.hasConnection else { return false }
    if spare.mayWarn(now: .now) {
      registry.configuration.warn("accept: \(String(cString: strerror(failure)))")
    }
    // A silent connection that ends frees a descriptor.
    if registry.waitForEnd() { return true }
    let wasTaken = spare.lend {
      let socket = Foundation.accept(listener.socket, nil, nil)
      if socket >= 0 { turnAway(socket) }
      return socket >= 0
    }
    if !wasTaken { usleep(20_000) }
    return wasTaken
  }

  private func turnAway(_ socket: Int32) {
    registry.refuseConnection()
    defer { close(socket) }
    // Over TLS, a response would need a handshake first, so the connection is closed without one.
    guard registry.configuration.identity == nil else { return }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    let problem = Problem(.overloaded, "Too many open connections.")
    // Closing the socket with an unread request would reset the connection and lose the response.
    var unread = [UInt8](repeating: 0, count: 16 << 10)
    _ = recv(socket, &unread, unread.count, 0)
    let id = registry.makeID()
    PlainMessage(registry.service.response(to: problem, id: id, origin: nil), id: id)
      .write(to: socket)
    shutdown(socket, Int32(SHUT_WR))
    _ = recv(socket, &unread, unread.count, 0)
  }
}
