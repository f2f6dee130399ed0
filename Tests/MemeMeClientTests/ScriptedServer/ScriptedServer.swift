import Foundation
import Synchronization

/// A server that does what a test says with each request, also what no good server does.
final class ScriptedServer: Sendable {
  struct Request: Sendable {
    /// Which one it is, from 0.
    let number: Int
    let method: String
    let target: String
    let headers: [String: String]
    let body: [UInt8]
  }

  enum Reply: Sendable {
    /// Sends this, and takes the next request of the connection.
    case send(String)
    /// Sends this and ends the connection.
    case sendAndClose(String)
    /// Ends the connection without a word.
    case close
    /// Says nothing until the test is over.
    case silence
  }

  let port: UInt16
  private let socket: Int32
  private let seen = Mutex<[Request]>([])
  private let connections = Mutex<Set<Int32>>([])
  private let script: @Sendable (Request) -> Reply
  /// Which requests are ended in the midst of their bodies, by their numbers, and after how many bytes.
  private let cuts: @Sendable (Int) -> Int?

  init(
    cuts: @escaping @Sendable (Int) -> Int? = { _ in nil },
    _ script: @escaping @Sendable (Request) -> Reply
  ) throws {
    self.script = script
    self.cuts = cuts
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    socket = Foundation.socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, size) == 0 && listen(socket, 64) == 0
          && getsockname(socket, address, &size) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0, let self else { return }
        connections.withLock { _ = $0.insert(connection) }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  /// Ends all connections, and takes no further one.
  func stop() {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
    endConnections()
  }

  /// Ends all connections that there are, as a server does that is started anew.
  func endConnections() {
    connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  /// What was asked so far, bodies that were cut among them.
  var requests: [Request] { seen.withLock { $0 } }

  private func serve(_ connection: Int32) {
    defer {
      connections.withLock { _ = $0.remove(connection) }
      close(connection)
    }
    var buffer: [UInt8] = []
    while let request = read(connection, &buffer) {
      switch script(request) {
      case .send(let text): write(connection, text)
      case .sendAndClose(let text):
        write(connection, text)
        return
      case .close: return
      case .silence: return wait(connection)
      }
    }
  }

  private func read(_ connection: Int32, _ buffer: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while buffer.firstRange(of: end) == nil {
      guard more(connection, &buffer) else { return nil }
    }
    guard let head = buffer.firstRange(of: end) else { return nil }
    let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    buffer.removeFirst(head.upperBound)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[colon...].dropFirst()
        .trimmingCharacters(in: .whitespaces)
    }
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    let length = headers["content-length"].flatMap(Int.init) ?? 0
    let number = seen.withLock { $0.count }
    let wanted = min(length, cuts(number) ?? length)
    while buffer.count < wanted, more(connection, &buffer) {}
    let request = Request(
      number: number, method: words[0], target: words[1], headers: headers,
      body: Array(buffer.prefix(wanted)))
    seen.withLock { $0.append(request) }
    buffer.removeFirst(min(wanted, buffer.count))
    return wanted == length ? request : nil
  }

  private func more(_ connection: Int32, _ buffer: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(connection, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer += piece.prefix(count)
    return true
  }

  private func wait(_ connection: Int32) {
    var ignored: [UInt8] = []
    while more(connection, &ignored) { ignored = [] }
  }

  private func write(_ connection: Int32, _ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
