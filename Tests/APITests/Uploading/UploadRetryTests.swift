import Foundation
import Memes
import Support
import Testing
import Wire

/// `Idempotency-Key` on `POST /uploads`.
struct UploadRetryTests {
  private let key = [("Idempotency-Key", "k")]

  private func count(_ server: TestServer) async throws -> Double {
    try await server.metrics().value("mememe_uploads")
  }

  @Test func `the same bytes with the same key get the first response`() async throws {
    try await withServer { server in
      let picture = try Fixture.photo.bytes
      let first = try await server.sendAhead(picture, headers: key).expect(201)
      #expect(first["idempotent-replayed"] == nil)
      // The Content-Type does not make it another request.
      let again = try await server.sendAhead(
        picture, headers: key + [("Content-Type", "image/png")]
      )
      .expect(201)
      #expect(again.response.body == first.response.body)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again["cache-control"] == "no-store")
      try await server.sendAhead(try Fixture.webp.bytes, headers: key)
        .expect(422, problem: "idempotency-key-reused")
      #expect(try await count(server) == 1)
    }
  }

  @Test func `a key belongs to the first request that used it`() async throws {
    try await withServer { server in
      try await server.upload(headers: key).expect(201)
      try await server.sendAhead(try Fixture.photo.bytes, headers: key)
        .expect(422, problem: "idempotency-key-reused")
      let other = [("Idempotency-Key", "other")]
      let id = try #require(
        try await server.sendAhead(try Fixture.photo.bytes, headers: other).expect(201).json.id
          .text)
      try await server.post([.field("upload", id)], headers: other)
        .expect(422, problem: "idempotency-key-reused")
    }
  }

  @Test func `a failed upload does not use up its key, and malformed keys are rejected`()
    async throws
  {
    try await withServer { server in
      try await server.sendAhead(Array("no picture".utf8), headers: key)
        .expect(415, problem: "unsupported-picture")
      let first = try await server.sendAhead(try Fixture.photo.bytes, headers: key).expect(201)
      #expect(first["idempotent-replayed"] == nil)
      try await server.sendAhead(try Fixture.photo.bytes, headers: [("Idempotency-Key", "a b")])
        .expect(400, problem: "invalid-idempotency-key")
    }
  }

  @Test func `sixteen concurrent requests with one key make one upload`() async throws {
    try await withServer { server in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<16 {
          group.addTask { try await server.sendAhead(try Fixture.photo.bytes, headers: key) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let made = answers.filter { $0.status == 201 }
      #expect(Set(made.compactMap(\.json.id.text)).count == 1)
      for answer in answers where answer.status != 201 {
        answer.expect(409, problem: "idempotency-key-in-use")
      }
      #expect(try await count(server) == 1)
    }
  }

  @Test func `a retry gets the first response even after its upload has expired`() async throws {
    try await withDataFolder { folder in
      let clock = HeldClock()
      var (id, body): (String, [UInt8]) = ("", [])
      try await withServer(in: folder, now: clock.now) { server in
        id = try await server.ahead(.photo)
        clock.set(Upload.lifetimeMilliseconds - 1)
        body = try await server.post([.field("upload", id)], headers: key).expect(201).response.body
      }
      clock.set(Upload.lifetimeMilliseconds)
      try await withServer(in: folder, now: clock.now) { server in
        let again = try await server.post([.field("upload", id)], headers: key).expect(201)
        #expect(again.response.body == body)
        #expect(again["idempotent-replayed"] == "true")
      }
    }
  }
}
