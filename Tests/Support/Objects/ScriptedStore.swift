import Foundation
import Synchronization
import Wire

/// A store that sends prepared responses, whatever it is asked. Each connection gets one response, and is then closed.
package final class ScriptedStore: Sendable {
  private struct State {
    var responses: [[UInt8]]
    var requests: [String] = []
  }

  private let listener: WireSocket
  private let state: Mutex<State>
  private let pause: Duration

  /// - Parameters:
  ///   - responses: sent one after the other. The last one is sent again.
  ///   - pause: the time between two bytes of a response.
  package init(_ responses: [String], pausing pause: Duration = .zero) throws {
    listener = try WireSocket(listeningOn: 0)
    state = Mutex(State(responses: responses.map { Array($0.utf8) }))
    self.pause = pause
    Thread.detachNewThread { [self] in
      while let client = listener.accepted() { serve(client) }
    }
  }

  package var port: Int { Int(listener.port) }

  /// The requests so far, without their bodies.
  package var requests: [String] { state.withLock(\.requests) }

  package func stop() { listener.shut() }

  private func serve(_ client: WireSocket) {
    var rest: [UInt8] = []
    let request = HTTPMessage(from: client, &rest) {
      client.send("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
    guard let request else { return }
    let response = state.withLock { state in
      state.requests.append(request.head)
      return state.responses.count > 1 ? state.responses.removeFirst() : state.responses.first ?? []
    }
    guard pause > .zero else {
      client.send(response)
      return client.shut()
    }
    for byte in response {
      guard client.send([byte]) else { return }
      Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
  }
}

/// A response without a body of chunks.
package func scripted(
  _ status: Int, _ body: String = "", length: Int? = nil, range: String? = nil
) -> String {
  let range = range.map { "Content-Range: \($0)\r\n" } ?? ""
  return
    "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(length ?? body.utf8.count)\r\n\(range)Connection: close\r\n\r\n\(body)"
}
