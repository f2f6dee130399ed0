import Support
import Synchronization
import Testing
import Wire

/// Checks the effect of each fault on a request: the number of memes on the server behind the proxy, and the response
/// that the client gets.
struct FaultProxyTests {
  @Test(
    arguments: [
      (Fault.none, 201, 1), (.delay(milliseconds: 20), 201, 1), (.duplicate, 201, 2),
      (.drop, nil, 0), (.loseAnswer, nil, 1), (.cutRequest(0.9), nil, 0), (.cutAnswer(0.9), nil, 1),
      (.overtaken(milliseconds: 20), nil, 1),
    ] as [(Fault, Int?, Int)])
  func `a fault has its effect and does not affect the next request`(
    fault: Fault, status: Int?, memes: Int
  ) async throws {
    try await withLiveServer { server in
      let faults = Mutex([fault])
      let proxy = try FaultProxy(to: server.port) { _ in
        faults.withLock { $0.popLast() ?? .none }
      }
      defer { proxy.stop() }
      let form = FormBody([.file("image", try Fixture.opaqueAlpha.bytes)])
      let client = try WireClient(port: UInt16(proxy.port))
      await client.send(ServerProcess.upload(form))
      #expect((try? await client.response())?.status == status)
      try await proxy.settle()
      // A second request. The server handles it after the first one, so the effects of the first are complete.
      let other = try WireClient(port: UInt16(proxy.port))
      await other.send(ServerProcess.upload(form))
      #expect(try await other.response().status == 201)
      let list = try await server.get("/memes").expect(200).json.items.elements
      #expect(list.count == memes + 1)
      #expect(proxy.met.values.reduce(0, +) == 2)
    }
  }

  @Test func `several requests on a connection and chunked bodies pass`() async throws {
    try await withLiveServer { server in
      let proxy = try FaultProxy(to: server.port)
      defer { proxy.stop() }
      let client = try WireClient(port: UInt16(proxy.port))
      for _ in 0..<3 {
        let answer = try await client.request("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.status == 200)
      }
      let account =
        #"{"username":"ada","email":"ada@example.org","password":"a cat on a keyboard"}"#
      let half = account.utf8.count / 2
      let (start, end) = (account.prefix(half), account.dropFirst(half))
      let answer = try await client.request(
        "POST /users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n\(String(start.utf8.count, radix: 16))\r\n\(start)\r\n"
          + "\(String(end.utf8.count, radix: 16))\r\n\(end)\r\n0\r\n\r\n")
      #expect(answer.status == 201, "\(answer.text)")
      let head = try await client.request("HEAD /memes HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(head.status == 200)
    }
  }
}
