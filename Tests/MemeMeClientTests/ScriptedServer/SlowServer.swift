import Foundation
import MemeMeClient
import Synchronization
import Wire

/// A server that reads one request at the rate of a slow network and responds to it.
final class SlowServer: Sendable {
  private let listener: WireSocket
  private let received = Mutex(0)

  init(bytesPerSecond: Int, answer: String) throws {
    listener = try WireSocket(listeningOn: 0)
    // A small receive buffer makes unread bytes wait at the sender.
    var room = Int32(32 << 10)
    setsockopt(
      listener.descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    Thread.detachNewThread { [self] in
      guard let client = listener.accepted() else { return }
      var (head, count): ([UInt8], Int?) = ([], nil)
      while count != 0, let piece = client.received() {
        usleep(UInt32(piece.count * 1_000_000 / bytesPerSecond))
        received.withLock { $0 += piece.count }
        if let rest = count {
          count = rest - piece.count
        } else {
          head += piece
          count = Self.missingBytes(of: head)
        }
      }
      client.send(answer.utf8)
      client.shut()
    }
  }

  var client: MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(listener.port)") ?? URL(filePath: "/"), retries: .never)
  }

  /// The number of bytes received.
  var receivedBytes: Int { received.withLock { $0 } }

  func stop() { listener.shut() }

  /// - Returns: The number of bytes that are still missing, or `nil` while it is unknown.
  private static func missingBytes(of request: [UInt8]) -> Int? {
    guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
    guard let length = head.firstMatch(of: /content-length: (\d+)/) else { return nil }
    return (Int(length.1) ?? 0) - (request.count - end.upperBound)
  }
}
