import Foundation

/// A client that writes exact bytes to a socket, or to a TLS session over it, and reads the response.
///
/// Its calls block on their own queue, so that the thread pool stays free for the server's handlers.
// The socket is opened once and closed once. Session and buffer are accessed on the queue only.
package final class WireClient: @unchecked Sendable {
  package struct Failure: Error {
    let what: String

    package init(what: String) { self.what = what }
  }

  private let socket: Int32
  private var session: TLSClient?
  private let queue = DispatchQueue(label: "wire")
  private var buffer: [UInt8] = []

  /// - Parameter seconds: how long a response may take.
  package init(port: UInt16?, seconds: Int = 30) throws {
    socket = Foundation.socket(AF_INET, Self.streamSocket, 0)
    // A child process of these tests would keep the connection open.
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (port ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard result == 0 else { throw Failure(what: "connect: \(errno)") }
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns a client that has completed a TLS handshake. Any certificate is accepted.
  package static func overTLS(port: UInt16?) async throws -> WireClient {
    let client = try WireClient(port: port)
    let isReady = await client.onQueue { () -> Bool in
      client.session = TLSClient(unverifiedOver: client.socket)
      return client.session != nil
    }
    guard isReady else { throw Failure(what: "no handshake") }
    return client
  }

  deinit {
    session = nil
    Foundation.close(socket)
  }

  /// - Returns: whether all bytes were sent.
  @discardableResult
  package func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) async -> Bool {
    await onQueue { [self] in write(bytes[...]) }
  }

  /// Sends a few bytes at a time, each time in a separate packet.
  ///
  /// - Parameter milliseconds: the pause between two packets, which does not depend on the load of the thread pool.
  /// - Returns: whether all bytes were sent.
  @discardableResult
  package func dribble(
    _ text: String, bytes count: Int = 1, pauseMilliseconds milliseconds: UInt32 = 0
  ) async -> Bool {
    var on: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return await onQueue { [self] in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        guard write(rest.prefix(count)) else { return false }
        rest = rest.dropFirst(count)
        usleep(milliseconds * 1000)
      }
      return true
    }
  }

  /// Sends a request and reads its response.
  package func request(_ text: String) async throws -> WireResponse {
    await send(text)
    return try await response(toHead: text.hasPrefix("HEAD "))
  }

  /// Reads one response, which may be an interim one.
  package func response(toHead: Bool = false) async throws -> WireResponse {
    let result: Result<WireResponse, Failure> = await onQueue { [self] in
      while true {
        if let (response, rest) = WireResponse.parse(buffer, toHead: toHead) {
          buffer = Array(rest)
          return .success(response)
        }
        errno = 0
        guard readMore() else {
          let cause = errno == 0 ? "end" : String(cString: strerror(errno))
          return .failure(
            Failure(what: "\(cause) after \(String(decoding: buffer, as: UTF8.self))"))
        }
      }
    }
    return try result.get()
  }

  /// Reads the head of a response with a chunked body.
  package func head() async throws -> WireResponse { try await response(toHead: true) }

  /// Reads the next chunk of a body. `nil` is its end (RFC 9112 §7.1).
  package func chunk() async throws -> [UInt8]? {
    let result: Result<[UInt8]?, Failure> = await onQueue { [self] in
      while true {
        if let end = buffer.firstRange(of: Array("\r\n".utf8)) {
          let text = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
          guard let count = Int(text, radix: 16) else {
            return .failure(Failure(what: "no chunk: \(text)"))
          }
          let (start, whole) = (end.upperBound, end.upperBound + count + 2)
          if buffer.count >= whole {
            let chunk = Array(buffer[start..<start + count])
            buffer.removeFirst(whole)
            return .success(count == 0 ? nil : chunk)
          }
        }
        guard readMore() else { return .failure(Failure(what: "the body has no end")) }
      }
    }
    return try result.get()
  }

  /// Reads the chunks of a body up to its end.
  package func chunks() async throws -> [UInt8] {
    var body: [UInt8] = []
    while let chunk = try await chunk() { body += chunk }
    return body
  }

  /// Returns whether the server closes the connection without sending more.
  package func isClosedByServer() async -> Bool {
    await onQueue { [self] in
      errno = 0
      return buffer.isEmpty && !readMore() && errno != EAGAIN
    }
  }

  /// Reads everything until the server closes the connection.
  package func everything() async -> String {
    await onQueue { [self] in
      while readMore() {}
      return String(decoding: buffer, as: UTF8.self)
    }
  }

  /// Reads until at least `count` bytes have arrived.
  package func skip(_ count: Int) async {
    await onQueue { [self] in while buffer.count < count, readMore() {} }
  }

  /// Closes the sending direction. The client can still read.
  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Disconnects with FIN or with RST.
  package func vanish(reset: Bool = false) {
    if reset {
      var lingering = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
      // Another descriptor takes the number at once, so that `deinit` does not close an unrelated file.
    }
    let nowhere = open("/dev/null", O_RDONLY)
    dup2(nowhere, socket)
    Foundation.close(nowhere)
  }

  private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        session?.send($0) ?? Foundation.send(socket, $0.baseAddress, $0.count, Self.noSignal)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func readMore() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var count = 0
    repeat {
      count =
        session.map { session in piece.withUnsafeMutableBytes { session.receive(into: $0) } }
        ?? recv(socket, &piece, piece.count, 0)
      // With a timeout set, the system does not restart a call that a signal interrupts.
    } while count < 0 && errno == EINTR
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }

  private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  #if canImport(Glibc)
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let streamSocket = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif
}
