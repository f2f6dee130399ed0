import Bytes
import Eventually
import HTTP
import HTTPDaemon
import Synchronization
import Testing
import Wire

/// Services that wait before they decide about a head.
@Suite struct WaitingTests {
  /// Decides after the gate opens.
  private func service(_ gate: Gate, _ decide: @escaping @Sendable (RequestHead) -> Admission)
    -> TestService
  {
    TestService { head in
      Admission(waiting: {
        await gate.pass()
        return decide(head)
      })
    }
  }

  private func echo(_ head: RequestHead) -> Admission {
    if head.target.raw == "/refused" {
      return Admission(refusing: Problem(.unauthorized).response(id: head.id))
    }
    return Admission(body: WholeBody(), bodyLimit: 1 << 20) { request in
      if case .bytes(let bytes) = request.body {
        Response(.ok, "text/plain", bytes)
      } else {
        .text("none")
      }
    }
  }

  @Test func `heads and bodies that arrive during the wait are kept`() async throws {
    let gate = Gate()
    try await withDaemon(service(gate, echo)) { daemon in
      let requests: [(String, Int, String?)] = [
        ("GET /a HTTP/1.1\r\nHost: h\r\n\r\n", 200, ""),
        ("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody", 200, "body"),
        (
          "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
          200,
          "ab"
        ),
        ("GET /refused HTTP/1.1\r\nHost: h\r\n\r\n", 401, nil),
        ("POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody", 401, nil),
        ("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\nab", 413, nil),
      ]
      let clients = try requests.map { _ in try WireClient(port: daemon.boundPort) }
      for (client, request) in zip(clients, requests) { await client.send(request.0) }
      try await gate.arrived(requests.count)
      await gate.open()
      for (client, (request, status, text)) in zip(clients, requests) {
        let answer = try await client.response()
        #expect(answer.status == status, "\(request)")
        if let text { #expect(answer.text == text, "\(request)") }
      }
      // The connection is kept, also after a decision without a wait.
      let kept = try await clients[0].request("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(kept.status == 200)
    }
  }

  @Test func `a client that expects 100 gets it only after the decision`() async throws {
    let gate = Gate()
    try await withDaemon(service(gate, echo)) { daemon in
      let head = "HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
      let client = try WireClient(port: daemon.boundPort)
      let refused = try WireClient(port: daemon.boundPort)
      await client.send("POST /a \(head)")
      await refused.send("POST /refused \(head)")
      try await gate.arrived(2)
      await gate.open()
      #expect(try await client.response().status == 100)
      #expect(try await client.request("body").text == "body")
      #expect(try await refused.response().status == 401)
    }
  }

  @Test func `a decision over the deadline is canceled, and the client gets 503`() async throws {
    let canceled = Mutex(false)
    let service = TestService { _ in
      Admission(waiting: {
        try? await Task.sleep(for: .seconds(600))
        canceled.withLock { $0 = Task.isCancelled }
        return Admission(refusing: .text(""))
      })
    }
    try await withDaemon(service, configure: { $0.deadlines.requestSeconds = 0.2 }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let answer = try await client.request(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody")
      #expect(answer.status == 503)
      try await eventually("the decision is canceled") { canceled.withLock(\.self) }
    }
  }

  @Test(arguments: [false, true])
  func `a client may disconnect during the wait`(_ reset: Bool) async throws {
    let gate = Gate()
    let service = service(gate, echo)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo")
      try await gate.arrived(1)
      client.vanish(reset: reset)
      await gate.open()
      let record = try #require(try await service.records(1).first)
      #expect(record.outcome == .gone)
      let other = try WireClient(port: daemon.boundPort)
      #expect(try await other.request("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status == 200)
    }
  }

  @Test func `a daemon that stops answers requests that wait for a decision`() async throws {
    let gate = Gate()
    let service = service(gate, echo)
    var clients: [WireClient] = []
    try await withDaemon(service, drainSeconds: 0.2) { daemon in
      for _ in 0..<8 {
        let client = try WireClient(port: daemon.boundPort)
        await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        clients.append(client)
      }
      try await gate.arrived(8)
    }
    for client in clients { #expect(try await client.response().status == 503) }
    await gate.open()
  }
}
