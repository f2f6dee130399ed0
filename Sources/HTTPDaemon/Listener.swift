import Foundation
import Synchronization

/// A listening socket and its port.
final class Listener: Sendable {
  /// How many clients may wait to be accepted.
  static let backlog = 1024

  private let descriptor: Atomic<Int32>
  /// The port that clients connect to, even if the caller asked for any free port.
  let port: UInt16

  /// Listens on the first of the host's addresses that is available.
  init(host: String, port: UInt16) throws(DaemonError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Self.stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else {
      throw .unknownHost(host)
    }
    defer { freeaddrinfo(list) }
    var failure = EADDRNOTAVAIL
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let address = next {
      let socket = Self.listeningSocket(at: address.pointee)
      if socket >= 0 {
        descriptor = Atomic(socket)
        self.port = Self.boundPort(of: socket)
        return
      }
      failure = errno
      next = address.pointee.ai_next
    }
    throw .cannotListen(host: host, port: port, errno: failure)
  }

  deinit { stop() }

  /// The socket, or -1 after ``stop()``.
  var socket: Int32 { descriptor.load(ordering: .acquiring) }

  /// Whether a client waits to be accepted.
  var hasConnection: Bool {
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// Closes the socket, so that the system refuses new clients. Call it only after the acceptor has stopped.
  func stop() {
    let socket = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
    if socket >= 0 { close(socket) }
  }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif

  /// - Returns: the socket, or -1 with `errno` set.
  private static func listeningSocket(at address: addrinfo) -> Int32 {
    let socket = Foundation.socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard socket >= 0 else { return -1 }
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    _ = setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, size)
    guard bind(socket, address.ai_addr, address.ai_addrlen) == 0,
      listen(socket, Int32(backlog)) == 0
    else {
      let failure = errno
      close(socket)
      errno = failure
      return -1
    }
    return socket
  }

  private static func boundPort(of socket: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(socket, address, &size) == 0 else { return 0 }
        return SocketAddress(address)?.port ?? 0
      }
    }
  }
}
