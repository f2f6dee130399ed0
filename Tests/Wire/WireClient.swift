import Foundation

/// A client that writes exactly what it is told to a socket, and reads what comes back.
///
/// Its calls block on a queue of their own, so that the pool stays free for the server's handlers.
// The socket is opened once and closed once; the buffer is touched on the queue only.
package final class WireClient: @unchecked Sendable {
  package struct Failure: Error {
    let what: String

    package init(what: String) { self.what = what }
  }

  private let socket: Int32
  private let queue = DispatchQueue(label: "wire")
  private var buffer: [UInt8] = []

  package init(port: UInt16?) throws {
    socket = Foundation.socket(AF_INET, Self.streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (port ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard result == 0 else { throw Failure(what: "connect: \(errno)") }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Foundation.close(socket) }

  /// - Returns: whether all of it was taken.
  @discardableResult
  package func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) async -> Bool {
    await onQueue { [socket] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Self.noSignal)
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Sends a request and reads its response.
  package func request(_ text: String) async throws -> WireResponse {
    await send(text)
    return try await response(toHead: text.hasPrefix("HEAD "))
  }

  /// Reads one response, interim ones as well.
  package func response(toHead: Bool = false) async throws -> WireResponse {
    let result: Result<WireResponse, Failure> = await onQueue { [self] in
      while true {
        if let (response, rest) = WireResponse.parse(buffer, toHead: toHead) {
          buffer = Array(rest)
          return .success(response)
        }
        guard readMore() else {
          return .failure(Failure(what: "ended after \(String(decoding: buffer, as: UTF8.self))"))
        }
      }
    }
    return try result.get()
  }

  /// Whether the server ends the connection, with nothing more said.
  package func isClosedByServer() async -> Bool {
    await onQueue { [self] in
      errno = 0
      return buffer.isEmpty && !readMore() && errno != EAGAIN
    }
  }

  /// Reads whatever comes until the server ends the connection.
  package func everything() async -> String {
    await onQueue { [self] in
      while readMore() {}
      return String(decoding: buffer, as: UTF8.self)
    }
  }

  /// Reads this many bytes and keeps none.
  package func skip(_ count: Int) async {
    await onQueue { [self] in while buffer.count < count, readMore() {} }
  }

  /// Says that nothing more will be sent, and goes on reading.
  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Goes away: with FIN, or with RST.
  package func vanish(reset: Bool = false) {
    if reset {
      var lingering = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
      // Another descriptor of the same number is opened at once: deinit must not close somebody else's.
    }
    let nowhere = open("/dev/null", O_RDONLY)
    dup2(nowhere, socket)
    Foundation.close(nowhere)
  }

  private func readMore() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &piece, piece.count, 0)
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
