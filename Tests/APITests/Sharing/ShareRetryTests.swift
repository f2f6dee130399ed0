import Foundation
import Support
import Testing
import Wire

/// `Idempotency-Key` on `POST /memes/{id}/shares`.
struct ShareRetryTests {
  private static let link = #"{"channel": "link"}"#
  private static let mail = #"{"channel": "email", "to": "somebody@example.org"}"#

  private func share(
    _ server: TestServer, _ url: String, _ json: String = link, key: String = "k"
  ) async throws -> Answer {
    try await server.send(
      "POST", "\(url)/shares",
      headers: [
        ("Authorization", "Bearer \(server.adminToken)"), ("Content-Type", "application/json"),
        ("Idempotency-Key", key),
      ], body: Array(json.utf8))
  }

  private func withMeme(_ body: (TestServer, _ url: String) async throws -> Void) async throws {
    try await withServer { server in
      try await body(server, try #require(try await server.upload(.moving).expect(201)["location"]))
    }
  }

  private func count(_ server: TestServer, _ url: String) async throws -> Int? {
    try await server.get(url).expect(200).json.counts.shares.int
  }

  private func mails(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "outbox").path)
  }

  @Test func `a repeated share counts once`() async throws {
    try await withMeme { server, url in
      let first = try await share(server, url).expect(204)
      #expect(first["idempotent-replayed"] == nil)
      let again = try await share(server, url).expect(204)
      #expect(again["idempotent-replayed"] == "true")
      #expect(try await count(server, url) == 1)
      try await share(server, url, key: "another").expect(204)
      #expect(try await count(server, url) == 2)
    }
  }

  @Test func `a repeated mail request sends one mail`() async throws {
    try await withMeme { server, url in
      for replayed in [nil, "true", "true"] {
        let answer = try await share(server, url, Self.mail).expect(204)
        #expect(answer["idempotent-replayed"] == replayed)
      }
      #expect(try mails(server.folder).count == 1)
      #expect(try await count(server, url) == 1)
    }
  }

  @Test func `sixteen concurrent requests with one key send one mail`() async throws {
    try await withMeme { server, url in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<16 { group.addTask { try await share(server, url, Self.mail) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.contains { $0.status == 204 && $0["idempotent-replayed"] == nil })
      for answer in answers where answer.status != 204 {
        answer.expect(409, problem: "idempotency-key-in-use")
      }
      #expect(try mails(server.folder).count == 1)
      #expect(try await count(server, url) == 1)
    }
  }

  @Test func `a key stands for one share of one meme`() async throws {
    try await withMeme { server, url in
      try await share(server, url).expect(204)
      let other = try #require(try await server.upload(.moving).expect(201)["location"])
      try await share(server, other).expect(422, problem: "idempotency-key-reused")
      try await share(server, url, #"{"channel": "x"}"#)
        .expect(422, problem: "idempotency-key-reused")
      try await share(server, url, key: "a b").expect(400, problem: "invalid-idempotency-key")
      #expect(try await count(server, url) == 1)
      #expect(try await count(server, other) == 0)
    }
  }

  @Test func `a failed share does not use up its key`() async throws {
    try await withMeme { server, url in
      try await share(server, url, #"{"channel": "fax"}"#).expect(422, problem: "invalid-input")
      let gone = "/memes/\(UUID().uuidString.lowercased())"
      try await share(server, gone).expect(404, problem: "not-found")
      let counted = try await share(server, url).expect(204)
      #expect(counted["idempotent-replayed"] == nil)
    }
  }

  @Test func `a repeated share counts once across restarts`() async throws {
    try await withDataFolder { folder in
      var url = ""
      try await withServer(in: folder) { server in
        url = try #require(try await server.upload(.moving).expect(201)["location"])
        try await share(server, url, Self.mail).expect(204)
      }
      try await withServer(in: folder) { server in
        let again = try await share(server, url, Self.mail).expect(204)
        #expect(again["idempotent-replayed"] == "true")
        #expect(try await count(server, url) == 1)
        #expect(try mails(folder).count == 1)
      }
    }
  }
}
