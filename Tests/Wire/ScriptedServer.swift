import Foundation
import Synchronization

/// A server that responds to each request as a test says, including invalid responses.
package final class ScriptedServer: Sendable {
  package struct Request: Sendable {
    /// The number of the request, from 0.
    package let number: Int
    /// The number of its connection, from 0.
    package let connection: Int
    package let method: String
    package let target: String
    package let headers: [String: String]
    package let body: [UInt8]
  }

  package enum Reply: Sendable {
    /// Sends this and reads the next request of the connection.
    case send(String)
    /// Sends these bytes and reads the next request of the connection.
    case sendBytes([UInt8])
    /// Sends the first text once and the second one `times` times.
    case sendOften(String, String, times: Int)
    /// Sends this and closes the connection.
    case sendAndClose(String)
    /// Sends this and closes the connection with RST instead of FIN.
    case sendAndReset(String)
    /// Closes the connection without a response.
    case close
    /// Sends nothing until the test ends.
    case silence
  }

  private let listener: WireSocket
  private let clients = Mutex<[ObjectIdentifier: WireSocket]>([:])
  private let seen = Mutex<[Request]>([])
  private let cut = Mutex<(@Sendable (Request) -> Void)?>(nil)
  private let script: @Sendable (Request) -> Reply
  private let cuts: @Sendable (Int) -> Int?
  private let discardsBodies: Bool

  /// - Parameters:
  ///   - cuts: The number of body bytes after which a request is interrupted, by the number of the request.
  ///   - discardsBodies: Whether bodies are read but not stored.
  package init(
    cuts: @escaping @Sendable (Int) -> Int? = { _ in nil }, discardsBodies: Bool = false,
    _ script: @escaping @Sendable (Request) -> Reply
  ) throws {
    self.script = script
    self.cuts = cuts
    self.discardsBodies = discardsBodies
    listener = try WireSocket(listeningOn: 0)
    Thread.detachNewThread { [self] in
      var count = 0
      while let client = listener.accepted() {
        clients.withLock { $0[ObjectIdentifier(client)] = client }
        let connection = count
        count += 1
        Thread.detachNewThread { [self] in
          if serve(client, connection) { client.shut() }
          clients.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(client)) }
        }
      }
    }
  }

  package var port: UInt16 { listener.port }

  /// Closes all connections and accepts no further ones.
  package func stop() {
    listener.shut()
    endConnections()
  }

  /// Closes all current connections, as the system does for a server that is killed.
  package func endConnections() {
    clients.withLock {
      for client in $0.values {
        // With FIN, a client whose data the receive buffer has no room for could send nothing, and get no RST, for a
        // minute.
        client.resetWhenClosed()
        client.shut()
      }
    }
  }

  /// Sets a function that receives interrupted requests, with the part of the body that arrived.
  package func whenCut(_ body: @escaping @Sendable (Request) -> Void) { cut.withLock { $0 = body } }

  /// The requests so far, including interrupted ones.
  package var requests: [Request] { seen.withLock { $0 } }

  /// - Returns: Whether to close the connection normally.
  private func serve(_ client: WireSocket, _ connection: Int) -> Bool {
    var buffer: [UInt8] = []
    while let request = read(client, connection, &buffer) {
      switch script(request) {
      case .send(let text): client.send(text.utf8)
      case .sendBytes(let bytes): client.send(bytes)
      case .sendOften(let head, let piece, let times):
        client.send(head.utf8)
        for _ in 0..<times where !client.send(piece.utf8) { return true }
      case .sendAndClose(let text):
        client.send(text.utf8)
        return true
      case .sendAndReset(let text):
        client.send(text.utf8)
        client.resetWhenClosed()
        return false
      case .close: return true
      case .silence:
        while client.received() != nil {}
        return true
      }
    }
    return true
  }

  private func read(
    _ client: WireSocket, _ connection: Int, _ buffer: inout [UInt8]
  ) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while buffer.firstRange(of: end) == nil {
      guard more(client, &buffer) else { return nil }
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
    let number = seen.withLock { $0.count }
    let most = cuts(number)
    let length = headers["content-length"].flatMap(Int.init) ?? 0
    let wanted = min(length, most ?? length)
    var (body, count): ([UInt8], Int) = ([], 0)
    while count < wanted, !buffer.isEmpty || more(client, &buffer) {
      let piece = buffer.prefix(wanted - count)
      if !discardsBodies { body += piece }
      count += piece.count
      buffer.removeFirst(piece.count)
    }
    let request = Request(
      number: number, connection: connection, method: words[0], target: words[1], headers: headers,
      body: body)
    seen.withLock { $0.append(request) }
    if count < length { cut.withLock { $0 }?(request) }
    return count == length ? request : nil
  }

  private func more(_ client: WireSocket, _ buffer: inout [UInt8]) -> Bool {
    guard let piece = client.received() else { return false }
    buffer += piece
    return true
  }
}
