import Foundation
import HTTPDaemon

/// Asks a running server whether it answers: `mememe healthcheck`, for containers.
struct HealthCheck {
  private let host: String
  private let port: Int
  private let isEncrypted: Bool
  /// How long connecting, and each wait for bytes, may take.
  private let timeoutSeconds = 3

  init(_ settings: Settings) {
    (host, port) = (settings.host, settings.port)
    isEncrypted = settings.tlsCertificate != nil
  }

  /// Whether `GET /healthz` is answered 200.
  func passes() -> Bool {
    guard let socket = connect() else { return false }
    defer { close(socket) }
    let request = Array("GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8)
    var answer = [UInt8](repeating: 0, count: 64)
    let count =
      isEncrypted
      ? exchangeEncrypted(request, &answer, over: socket) : exchange(request, &answer, over: socket)
    return count > 0 && answer.prefix(count).starts(with: "HTTP/1.1 200 ".utf8)
  }

  private func exchange(
    _ request: [UInt8], _ answer: inout [UInt8], over socket: Int32
  ) -> Int {
    guard send(socket, request, request.count, noSignal) == request.count else { return -1 }
    return recv(socket, &answer, answer.count, 0)
  }

  /// The certificate is not looked at: it names the server's public name, and this asks by the loopback's address
  /// whether the process answers, not who it is.
  private func exchangeEncrypted(
    _ request: [UInt8], _ answer: inout [UInt8], over socket: Int32
  ) -> Int {
    guard let session = TLSClient(unverifiedOver: socket),
      request.withUnsafeBytes({ session.send($0) }) == request.count
    else { return -1 }
    return answer.withUnsafeMutableBytes { session.receive(into: $0) }
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
