import Foundation

/// Asks a running server whether it answers: `mememe healthcheck`, for containers.
struct HealthCheck {
  let host: String
  let port: Int
  /// How long connecting, and each wait for bytes, may take.
  let timeoutSeconds = 3

  /// Whether `GET /healthz` is answered 200.
  func passes() -> Bool {
    guard let socket = connect() else { return false }
    defer { close(socket) }
    let request = Array("GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8)
    guard send(socket, request, request.count, noSignal) == request.count else { return false }
    var answer = [UInt8](repeating: 0, count: 64)
    let count = recv(socket, &answer, answer.count, 0)
    return count > 0 && answer.prefix(count).starts(with: "HTTP/1.1 200 ".utf8)
  }

  private func connect() -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(Loopback.address(of: host), String(port), &hints, &found) == 0 else {
      return nil
    }
    defer { freeaddrinfo(found) }
    var candidate = found
    while let address = candidate?.pointee {
      if let socket = connect(to: address) { return socket }
      candidate = address.ai_next
    }
    return nil
  }

  private func connect(to address: addrinfo) -> Int32? {
    let socket = Foundation.socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard socket >= 0 else { return nil }
    var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    guard Foundation.connect(socket, address.ai_addr, address.ai_addrlen) == 0 else {
      close(socket)
      return nil
    }
    return socket
  }

  #if canImport(Glibc)
    private var streamSocket: Int32 { Int32(SOCK_STREAM.rawValue) }
    private var noSignal: Int32 { Int32(MSG_NOSIGNAL) }
  #else
    private var streamSocket: Int32 { SOCK_STREAM }
    private var noSignal: Int32 { 0 }
  #endif
}
