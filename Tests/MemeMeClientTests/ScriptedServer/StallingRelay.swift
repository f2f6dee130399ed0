import Foundation
import MemeMeClient
import Synchronization
import Wire

/// Stands before a server and passes on what its clients send, so many bytes of each connection and no more, like a
/// network that has come to a halt.
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

  /// How much was passed on.
  var passedBytes: Int { state.withLock { $0.passed } }

  /// How many clients there are.
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
    // What else comes goes nowhere, and not at once: that the client went away comes behind it.
    while client.received() != nil { usleep(4000) }
  }
}
