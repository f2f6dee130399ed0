import Foundation

/// A TCP socket on 127.0.0.1 with blocking calls. It is closed with its last reference.
package final class WireSocket: Sendable {
  package let descriptor: Int32

  private init(_ descriptor: Int32) throws {
    guard descriptor >= 0 else { throw WireClient.Failure(what: "socket: \(errno)") }
    self.descriptor = descriptor
    // A child process of these tests would keep the connection open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(descriptor) }

  package convenience init(connectingTo port: UInt16) throws {
    try self.init(socket(AF_INET, Self.stream, 0))
    guard Self.at(port, { connect(descriptor, $0, $1) }) == 0 else {
      throw WireClient.Failure(what: "connect: \(errno)")
    }
    sendAtOnce()
  }

  /// - Parameter port: 0 for any free port.
  package convenience init(listeningOn port: UInt16) throws {
    try self.init(socket(AF_INET, Self.stream, 0))
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard Self.at(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0 else {
      throw WireClient.Failure(what: "listen: \(errno)")
    }
  }

  /// The port of a listening socket.
  package var port: UInt16 {
    var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// - Returns: the next client of a listening socket, or `nil` when the socket no longer listens.
  package func accepted() -> WireSocket? {
    while true {
      let client = accept(descriptor, nil, nil)
      if client >= 0 {
        let socket = try? WireSocket(client)
        socket?.sendAtOnce()
        return socket
      }
      guard [EINTR, EAGAIN, ECONNABORTED].contains(errno) else { return nil }
    }
  }

  /// - Returns: whether all bytes were sent.
  @discardableResult
  package func send(_ bytes: some Sequence<UInt8>) -> Bool {
    Array(bytes).withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Self.noSignal)
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// - Returns: the received bytes, or `nil` at the end or after a minute without data.
  package func received() -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var count = 0
    repeat { count = recv(descriptor, &piece, piece.count, 0) } while count < 0 && errno == EINTR
    return count > 0 ? Array(piece[..<count]) : nil
  }

  /// Ends both directions. Blocked calls on the socket return.
  package func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Makes the socket end with RST instead of FIN when it is closed.
  package func resetWhenClosed() {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  private func sendAtOnce() {
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func at(
    _ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif
}
