import Eventually
import Foundation
import Support
import Testing
import Wire
import mememe

/// Concurrent requests with the same idempotency key.
struct RetriesAtOnceTests {
  private let key = [("Idempotency-Key", "k")]

  @Test func `sixteen concurrent requests with one key make one meme`() async throws {
    try await withServer { server in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<16 {
          group.addTask { try await server.upload(top: "once", headers: key) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let first = answers.filter { $0.status == 201 && $0["idempotent-replayed"] == nil }
      #expect(first.count == 1)
      for answer in answers {
        if answer.status == 201 {
          #expect(answer.response.body == first.first?.response.body)
        } else {
          answer.expect(409, problem: "idempotency-key-in-use")
          #expect(answer["retry-after"] == "2")
        }
      }
      #expect(try await server.get("/memes").json.items.elements.count == 1)
    }
  }

  /// Keeps the only render thread busy while `body` runs, so that its requests have to wait for it.
  private func withBusyRenderer(
    _ body: @escaping @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await withLiveServer({ $0.renderWorkers = 1 }) { server in
      let parts: [FormBody.Part] = [.file("image", try Fixture.photo.bytes)]
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<24 {
          group.addTask { try await server.post(to: "/memes/preview", parts).expect(200) }
        }
        _ = try await group.next()
        try await body(server)
        try await group.waitForAll()
      }
    }
  }

  @Test func `while a request runs, others with its key get 409 with Retry-After`() async throws {
    try await withBusyRenderer { server in
      async let left = server.upload(top: "once", headers: key)
      async let right = server.upload(top: "once", headers: key)
      let answers = try await [left, right]
      #expect(answers.map(\.status).sorted() == [201, 409])
      let refused = try #require(answers.first { $0.status == 409 })
      refused.expect(409, problem: "idempotency-key-in-use")
      #expect(refused["retry-after"] == "2")
      let again = try await server.upload(top: "once", headers: key).expect(201)
      #expect(again["idempotent-replayed"] == "true")
    }
  }

  @Test(arguments: [true, false])
  func `a client that disconnects while its request waits can retry it`(reset: Bool)
    async throws
  {
    try await withBusyRenderer { server in
      let form = FormBody([.file("image", try Fixture.photo.bytes), .field("top", "once")])
      let client = try server.connect()
      await client.send(
        Array(
          """
          POST /memes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nContent-Type: \(form.contentType)\r
          Content-Length: \(form.bytes.count)\r\n\r\n
          """.utf8) + form.bytes)
      client.vanish(reset: reset)
      var answer: Answer?
      try await eventually("the first request is over") {
        answer = try await server.post(form, headers: key)
        return answer?.status != 409
      }
      try #require(answer).expect(201)
      #expect(try await server.get("/memes").json.items.elements.count == 1)
    }
  }
}
