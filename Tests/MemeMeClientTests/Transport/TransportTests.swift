import Eventually
import Foundation
import MemeMeClient
import Support
import Testing
import Wire

/// The behavior of the transport on every system.
struct TransportTests {
  @Test(arguments: [
    "Bearer realm=\"MemeMe\"", "Bearer", "Basic realm=\"a proxy\"",
    "Digest realm=\"x\", nonce=\"y\"",
    "Negotiate", "",
  ])
  func `a 401 is an ordinary response`(challenge: String) async throws {
    try await withScript({ _ in
      .send(
        ScriptedServer.problem(
          401, "unauthorized", headers: challenge.isEmpty ? [] : ["WWW-Authenticate: \(challenge)"])
      )
    }) { server in
      let client = server.client().within(.seconds(5))
      #expect(await failure { try await client.checkHealth() } == "unauthorized")
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `redirects are not followed, so that tokens do not leak`(status: Int) async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { elsewhere in
      try await withScript({ _ in
        .send(
          ScriptedServer.answer(
            "\(status) Elsewhere", "elsewhere",
            headers: ["Location: http://127.0.0.1:\(elsewhere.port)/healthz"]))
      }) { server in
        #expect(await failure { try await server.client().checkHealth() } == "unexpected \(status)")
        #expect(server.requests.first?.headers["authorization"] == "Bearer a-secret")
        #expect(elsewhere.requests.isEmpty)
      }
    }
  }

  @Test func `concurrent calls get their own responses`() async throws {
    try await withScript({ request in
      .send(
        ScriptedServer.answer("200 OK", "\(request.method) \(request.target)", type: "image/png"))
    }) { server in
      let client = server.client()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            let file = try await client.fontSample("\(number)")
            #expect(file.data == Data("GET /fonts/\(number)/sample".utf8))
          }
          group.addTask {
            let drawn = try await client.preview(MemeDraft(.upload(Upload.ID())))
            #expect(drawn.data == Data("POST /memes/preview".utf8))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `cookies are neither stored nor sent, and nothing is cached`() async throws {
    try await withScript({ _ in
      .send(
        ScriptedServer.answer(
          "200 OK", #"{"status":"ok"}"#,
          headers: ["Set-Cookie: a=b; Path=/", "Cache-Control: max-age=1000"]))
    }) { server in
      let client = server.client().authorized(by: nil)
      for _ in 0..<3 { try await client.checkHealth() }
      #expect(server.requests.count == 3)
      for request in server.requests {
        #expect(request.headers["cookie"] == nil)
        #expect(request.headers["authorization"] == nil)
      }
    }
  }

  @Test func `a connection that the server has closed is replaced`() async throws {
    try await withScript({ _ in .send(ScriptedServer.healthy) }) { server in
      let client = server.client()
      for _ in 0..<5 {
        try await client.checkHealth()
        server.endConnections()
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(server.requests.count == 5)
    }
  }

  @Test func `a missing or disconnecting server is a connection error`() async throws {
    try await withScript({ _ in .close }) { server in
      #expect(await failure { try await server.client().checkHealth() } == "connection")
      server.stop()
      #expect(await failure { try await server.client().checkHealth() } == "connection")
    }
  }

  @Test func `a truncated response is an error`() async throws {
    try await withScript({ _ in
      .sendAndClose("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"status\":")
    }) { server in
      #expect(await failure { try await server.client().checkHealth() } == "connection")
    }
  }

  @Test func `silence and exceeded deadlines are timeouts`() async throws {
    try await withScript({ _ in .silence }) { server in
      var client = server.client()
      client.silence = .seconds(1)
      #expect(await failure { try await client.checkHealth() } == "timeout")
      let hurried = server.client().within(.milliseconds(200))
      #expect(await failure { try await hurried.checkHealth() } == "timeout")
    }
  }

  @Test func `a canceled call ends at once, started or not`() async throws {
    try await withScript({ _ in .silence }) { server in
      let client = server.client()
      let running = Task { try await client.checkHealth() }
      try await eventually("the request has come") { !server.requests.isEmpty }
      running.cancel()
      #expect(await failure { try await running.value } == "cancelled")
      let never = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await client.checkHealth()
      }
      #expect(await failure { try await never.value } == "cancelled")
    }
  }
}
