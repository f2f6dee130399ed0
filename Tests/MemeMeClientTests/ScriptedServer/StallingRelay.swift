import Foundation
import MemeMeClient
import Synchronization
import Wire

/// A relay that forwards a limited number of bytes of each connection to a server, like a network that stalls.
final class StallingRelay: Sendable {
  private let listener: WireSocket
  private let state = Mutex((passed: 0, open: [ObjectIdentifier: WireSocket]()))

  init(to port: Int, after bytes: Int) throws {
    listener = try WireSocket(listeningOn: 0)
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() {
        guard let server = try? WireSocket(connectingTo: UInt16(clamping: port)) else { continue }
        state.withLock { $0.open[ObjectIdentifier(client)] = client }
        Thread.detachNewThread {
          while let piece = server.received(), client.send(piece) {}
          client.shut()
        }
        Thread.detachNewThread { [self] in
          pass(from: client, to: server, bytes)
          server.shut()
          state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(client)) }
        }
      }
    }
  }

  /// The number of bytes forwarded.
  var passedBytes: Int { state.withLock { $0.passed } }

  /// The number of connected clients.
  var connections: Int { state.withLock { $0.open.count } }

  func client() -> MemeMeClient {
    MemeMeClient(
      URL(string: "http://127.0.0.1:\(listener.port)") ?? URL(filePath: "/"), retries: .never)
  }

  func stop() {
    listener.shut()
    state.withLock { for client in $0.open.values { client.shut() } }
  }

  private func pass(from client: WireSocket, to server: WireSocket, _ most: Int) {
    var passed = 0
    while passed < most, let piece = client.received() {
      passed += piece.count
      guard server.send(piece) else { return }
      state.withLock { $0.passed += piece.count }
    }
    // Discards further bytes slowly. The client's disconnect arrives after them.
    while client.received() != nil { usleep(4000) }
  }
}
