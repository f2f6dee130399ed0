import Foundation
import MemeMeClient
import Synchronization
import Wire

/// Takes one request at the pace of a slow network, and answers it.
final class SlowServer: Sendable {
  private let listener: WireSocket
  private let received = Mutex(0)

  init(bytesPerSecond: Int, answer: String) throws {
    listener = try WireSocket(listeningOn: 0)
    // What the network does not carry waits with whom it comes from, and not here.
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

  /// How much has come of the request.
  var receivedBytes: Int { received.withLock { $0 } }

  func stop() { listener.shut() }

  /// - Returns: how much of a request is still to come; `nil` while that is not known.
  private static func missingBytes(of request: [UInt8]) -> Int? {
    guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
    guard let length = head.firstMatch(of: /content-length: (\d+)/) else { return nil }
    return (Int(length.1) ?? 0) - (request.count - end.upperBound)
  }
}
