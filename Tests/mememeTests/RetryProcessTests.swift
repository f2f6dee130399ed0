import Eventually
import Foundation
import Support
import Testing
import Wire

/// Guarantees for requests that are repeated after the server was killed.
struct RetryProcessTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-retry-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func form(_ caption: String, boundary: String) throws -> FormBody {
    FormBody(
      [.file("image", try Fixture.photo.bytes), .field("top", caption)], boundary: boundary)
  }

  @Test func `a received response is replayed after kill -9`() async throws {
    try await withFolder { folder in
      var server = try await ServerProcess(data: folder)
      let first = try await server.post(try form("x", boundary: "one"), key: "k").expect(201)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      server = try await ServerProcess(data: folder)
      let again = try await server.post(try form("x", boundary: "two"), key: "k").expect(201)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again.response.body == first.response.body)
      for name in ["etag", "location", "meme-delete-token", "content-type", "cache-control"] {
        #expect(again[name] == first[name])
      }
      #expect(try await server.get("/memes").expect(200).json.items.elements.count == 1)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a response that was never read is replayed after kill -9`() async throws {
    try await withFolder { folder in
      var server = try await ServerProcess(data: folder)
      let client = try WireClient(port: UInt16(server.port))
      await client.send(ServerProcess.upload(try form("x", boundary: "one"), key: "k"))
      // A meme in the list is committed.
      var kept: [JSON] = []
      try await eventually("the meme is in the list") {
        kept = try await server.get("/memes").json.items.elements
        return !kept.isEmpty
      }
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      server = try await ServerProcess(data: folder)
      let answer = try await server.post(try form("x", boundary: "two"), key: "k").expect(201)
      #expect(answer["idempotent-replayed"] == "true")
      #expect(answer.json.id == kept[0].id)
      #expect(answer.json.deleteToken.text == answer["meme-delete-token"])
      #expect(try await server.get("/memes").expect(200).json.items.elements.count == 1)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a retry after kill -9 makes one meme`() async throws {
    try await withFolder { folder in
      var server = try await ServerProcess(data: folder)
      var urls: [String] = []
      // The times range from before the body arrives to after the response is written.
      for (round, milliseconds) in [0, 8, 16, 22, 28, 50].enumerated() {
        let (killed, caption) = (server, "round-\(round)")
        let first = Task { [form = try form(caption, boundary: "one")] in
          try await killed.post(form, key: caption)
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        #expect(try await killed.end(by: SIGKILL) == SIGKILL)
        server = try await ServerProcess(data: folder)
        let form = try form(caption, boundary: "two")
        let answer = try await server.post(form, key: caption).expect(201)
        if let first = try? await first.value {
          #expect(answer.response.body == first.response.body)
          #expect(answer["idempotent-replayed"] == "true")
        }
        let again = try await server.post(form, key: caption).expect(201)
        #expect(again.response.body == answer.response.body)
        urls.append(try #require(answer["location"]))
      }
      let list = try await server.get("/memes").expect(200)
      let listed = list.json.items.elements.compactMap(\.id.text).map { "/memes/\($0)" }
      #expect(listed == urls.reversed())
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
