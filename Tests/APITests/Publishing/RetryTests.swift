import Foundation
import Support
import Testing
import Wire

/// Guarantees for requests that are repeated with the same `Idempotency-Key`.
struct RetryTests {
  private func form(_ top: String = "once", boundary: String = "first") throws -> FormBody {
    FormBody([.file("image", try Fixture.photo.bytes), .field("top", top)], boundary: boundary)
  }

  /// Expects the first response again, with its own request id.
  private func expectSame(
    _ answer: Answer, as first: Answer, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    func fields(_ answer: Answer) -> [String] {
      let own: Set<String> = ["date", "x-request-id", "idempotent-replayed"]
      return answer.response.headers.filter { !own.contains($0.name) }
        .map { "\($0.name): \($0.value)" }.sorted()
    }
    answer.expect(first.status, sourceLocation: sourceLocation)
    #expect(answer.response.body == first.response.body, sourceLocation: sourceLocation)
    #expect(fields(answer) == fields(first), sourceLocation: sourceLocation)
    #expect(answer["idempotent-replayed"] == "true", sourceLocation: sourceLocation)
    #expect(answer["x-request-id"] != first["x-request-id"], sourceLocation: sourceLocation)
  }

  private func count(_ server: TestServer) async throws -> Int {
    try await server.get("/memes").expect(200).json.items.elements.count
  }

  @Test func `a retry with its key gets the first response, byte for byte`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "\"a-key\"")]
      let first = try await server.post(try form(), headers: key).expect(201)
      #expect(first["idempotent-replayed"] == nil)
      #expect(first.json.deleteToken.text == first["meme-delete-token"])
      // Another boundary, field order and file name, and the key without its quotes.
      let parts: [FormBody.Part] = [
        .field("top", "once"),
        .file("image", try Fixture.photo.bytes, filename: "x.png", type: "image/png"),
      ]
      let again = try await server.post(
        FormBody(parts, boundary: "second"), headers: [("idempotency-key", "a-key")])
      expectSame(again, as: first)
      #expect(try await count(server) == 1)
    }
  }

  @Test func `a retry gets the first response even after the meme is deleted`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      let first = try await server.post(try form(), headers: key).expect(201)
      let url = try #require(first["location"])
      expectSame(try await server.post(try form(), headers: key), as: first)
      try await server.delete(url, token: first["meme-delete-token"]).expect(204)
      expectSame(try await server.post(try form(), headers: key), as: first)
      try await server.get(url).expect(410, problem: "gone")
    }
  }

  @Test func `a picture response is replayed, and is 410 once the meme is deleted`() async throws {
    try await withServer { server in
      let headers = [("Idempotency-Key", "k"), ("Accept", "image/*")]
      let first = try await server.post(try form(), headers: headers).expect(201)
      #expect(first["content-type"] == "image/jpeg")
      expectSame(try await server.post(try form(), headers: headers), as: first)
      let url = try #require(first["location"])
      try await server.delete(url, token: first["meme-delete-token"]).expect(204)
      let gone = try await server.post(try form(), headers: headers).expect(410, problem: "gone")
      #expect(gone["meme-delete-token"] == nil)
      #expect(try await count(server) == 0)
    }
  }

  @Test func `a stored response survives a restart`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = [("Idempotency-Key", "k")]
    let form = try form()
    var first: Answer?
    try await withServer(in: folder) { server in
      first = try await server.post(form, headers: key).expect(201)
    }
    try await withServer(in: folder) { server in
      expectSame(try await server.post(form, headers: key), as: try #require(first))
      #expect(try await count(server) == 1)
    }
  }

  @Test func `another request with the same key is rejected, even if it adds a default`()
    async throws
  {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      let first = try await server.upload(top: "once", headers: key).expect(201)
      for fields in [
        [:], ["top": "twice"], ["top": "once", "bottom": ""], ["top": "once", "fill": "#ffffff"],
        ["top": "once", "id": "0123abcd-89ab-4def-8123-456789abcdef"],
      ] {
        try await server.upload(.photo, fields, headers: key)
          .expect(422, problem: "idempotency-key-reused")
      }
      expectSame(try await server.upload(top: "once", headers: key), as: first)
      #expect(try await count(server) == 1)
    }
  }

  @Test func `another picture or Accept is another request`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      try await server.upload(headers: key).expect(201)
      try await server.upload(.webp, headers: key).expect(422, problem: "idempotency-key-reused")
      try await server.upload(headers: key + [("Accept", "image/*")])
        .expect(422, problem: "idempotency-key-reused")
    }
  }

  @Test func `a failed request does not use up its key`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      try await server.upload(.photo, ["fill": "red"], headers: key).expect(
        422, problem: "invalid-input")
      let junk: [FormBody.Part] = [.file("image", Array("no picture at all".utf8))]
      try await server.post(junk, headers: key).expect(415, problem: "unsupported-picture")
      let cut = Array(try Fixture.photo.bytes.prefix(4000))
      try await server.post([.file("image", cut)], headers: key).expect(
        422, problem: "invalid-input")
      let first = try await server.upload(top: "good", headers: key).expect(201)
      #expect(first["idempotent-replayed"] == nil)
    }
  }

  @Test func `a key belongs to the admin or to the client's address`() async throws {
    try await withServer { server in
      let key = ("Idempotency-Key", "k")
      let admin = ("Authorization", "Bearer \(server.adminToken)")
      let mine = try await server.upload(headers: [key]).expect(201)
      let theirs = try await server.upload(headers: [key, admin]).expect(201)
      #expect(mine["location"] != theirs["location"])
      #expect(theirs["meme-delete-token"] == nil)
      expectSame(try await server.upload(headers: [key, admin]), as: theirs)
      expectSame(try await server.upload(headers: [key]), as: mine)
    }
  }

  @Test func `a malformed key is rejected before the body is read`() async throws {
    try await withLiveServer { server in
      for key in ["", "\"", "a, b", "a b", String(repeating: "k", count: 256)] {
        let client = try server.connect()
        let response = try await client.request(
          """
          POST /memes HTTP/1.1\r\nHost: x\r\nIdempotency-Key: \(key)\r\nExpect: 100-continue\r
          Content-Type: \(FormBody.contentType)\r\nContent-Length: 1000\r\n\r\n
          """)
        let answer = Answer(response).expect(400, problem: "invalid-idempotency-key")
        #expect(answer["retry-after"] == nil)
        try await server.upload(headers: [("Idempotency-Key", key)])
          .expect(400, problem: "invalid-idempotency-key")
      }
    }
  }

  @Test func `two keys are rejected, and calls that create nothing ignore keys`() async throws {
    try await withServer { server in
      let two = [("Idempotency-Key", "k"), ("Idempotency-Key", "k")]
      try await server.upload(headers: two).expect(400, problem: "invalid-idempotency-key")
      try await server.post(to: "/memes/preview", try form(), headers: two).expect(200)
      try await server.send("GET", "/memes", headers: two).expect(200)
    }
  }

  @Test func `neither key nor token is in the data folder or the log`() async throws {
    try await withServer { server in
      let key = "a-key-that-nobody-else-may-learn"
      let first = try await server.upload(headers: [("Idempotency-Key", key)]).expect(201)
      let token = try #require(first["meme-delete-token"])
      for name in try FileManager.default.contentsOfDirectory(atPath: server.folder.path) {
        let bytes = try Data(contentsOf: server.folder.appending(path: name))
        for secret in [key, token] { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)") }
      }
    }
  }
}
