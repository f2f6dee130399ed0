import Foundation

/// One connection to a server on the loopback: sends exactly the bytes it is given, and reads answers.
///
/// It blocks, so that a test can say precisely what is on the wire; one is used by one thread at a time.
package final class WireClient {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let socket: Int32
  private var received: [UInt8] = []

  /// Connects to `127.0.0.1`.
  package init(port: Int, timeoutSeconds: Int = 20) throws {
    socket = Foundation.socket(AF_INET, Self.streamSocket, 0)
    guard socket >= 0 else { throw Failure(description: "socket: \(errno)") }
    var timeout = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "connect: \(errno)") }
  }

  deinit { close(socket) }

  /// Sends every byte.
  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Self.noSignal)
      }
      guard count > 0 else { throw Failure(description: "send: \(errno)") }
      sent += count
    }
  }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Says that nothing more will be sent.
  package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Goes away at once: the server sees a reset.
  package func vanish() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// Reads the next answer; interim ones (100) are answers too.
  ///
  /// - Parameter head: whether the request was HEAD, whose answer has no body.
  package func receive(head: Bool = false) throws -> WireResponse {
    let separator = Array("\r\n\r\n".utf8)
    var end = received.firstRange(of: separator)
    while end == nil {
      guard try receiveMore() else { throw Failure(description: "closed before an answer") }
      end = received.firstRange(of: separator)
    }
    guard let end, let text = String(validating: received[..<end.lowerBound], as: UTF8.self) else {
      throw Failure(description: "the head is not UTF-8")
    }
    received.removeSubrange(..<end.upperBound)
    var response = try WireResponse(head: text)
    if let length = response.contentLength, !head, response.status >= 200 {
      while received.count < length {
        guard try receiveMore() else { throw Failure(description: "closed within a body") }
      }
      response.body = Array(received.prefix(length))
      received.removeFirst(length)
    }
    return response
  }

  /// Whether the server closes the connection without another byte.
  package func isClosedByServer() -> Bool {
    received.isEmpty && (try? receiveMore()) == false
  }

  /// - Returns: `false` at the end of the stream.
  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failure(description: "recv: \(errno)") }
    received.append(contentsOf: buffer.prefix(count))
    return count > 0
  }

  #if canImport(Glibc)
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let streamSocket = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #endif
}
