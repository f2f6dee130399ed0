import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

/// Resumable uploads with tus 1.0.0.
struct TusTests {
  @Test func `an upload in pieces works like any other upload`() async throws {
    let time = Timestamp(millisecondsSince1970: 1_795_000_000_000)
    try await withLiveServer(now: { time }) { server in
      let picture = try Fixture.photo.bytes
      let begun = try await server.send(
        "POST", "/uploads",
        headers: TestServer.tus + [
          ("Upload-Length", "\(picture.count)"),
          ("Upload-Metadata", "filename Y2F0LmpwZw==,hidden"),
        ], body: []
      ).expect(201)
      let url = try #require(begun["location"])
      let id = try #require(begun.json.id.text)
      #expect(url == "/uploads/\(id)" && id.dropFirst(14).first == "4")
      #expect(begun["tus-resumable"] == "1.0.0" && begun["cache-control"] == "no-store")
      #expect(begun["upload-offset"] == "0")
      #expect(begun["upload-expires"] == "Thu, 19 Nov 2026 11:06:40 GMT")

      var offset = 0
      while offset < picture.count {
        let head = try await server.send("HEAD", url, headers: TestServer.tus).expect(200)
        #expect(head["upload-offset"] == "\(offset)")
        #expect(head["upload-length"] == "\(picture.count)")
        #expect(head["cache-control"] == "no-store" && head["tus-resumable"] == "1.0.0")
        try await server.post([.field("upload", id)])
          .expect(422, problem: "invalid-input", fields: ["upload unknown-upload"])
        let piece = Array(picture[offset...].prefix(9999))
        let answer = try await server.append(piece, to: url, at: offset).expect(204)
        offset += piece.count
        #expect(answer["upload-offset"] == "\(offset)" && answer["tus-resumable"] == "1.0.0")
        #expect(answer["upload-expires"] == "Thu, 19 Nov 2026 11:06:40 GMT")
      }
      let whole = try await server.get(url).expect(200).json
      #expect([whole.width.int, whole.height.int, whole.offset.int] == [640, 480, picture.count])
      #expect(whole.mediaType.text == "image/jpeg")
      #expect(whole.expiresAt.text == "2026-11-19T11:06:40.000Z")
      #expect(try await server.offset(of: url) == picture.count)
      // A client that lost the last response can request the offset. If it repeats the last piece, it gets 409.
      try await server.append([1], to: url, at: picture.count - 1)
        .expect(409, problem: "offset-mismatch")
      try await server.append([1], to: url, at: picture.count)
        .expect(413, problem: "content-too-large")
      try await server.append([], to: url, at: picture.count).expect(204)

      try await server.post(to: "/memes/preview", [.field("upload", id)]).expect(200)
      #expect(try await server.original(ofMemeOf: url) == picture)
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_uploads") == 1)
      #expect(metrics.value("mememe_unfinished_uploads") == 0)
      #expect(metrics.value("mememe_unfinished_upload_bytes") == 0)
      #expect(!(try server.log).contains(id))
    }
  }

  @Test func `the creation request can carry the first piece or all of it`() async throws {
    try await withLiveServer { server in
      let picture = try Fixture.photo.bytes
      for (count, parameter) in [(1, ""), (1000, "; charset=utf-8"), (picture.count, "")] {
        let begun = try await server.send(
          "POST", "/uploads",
          headers: TestServer.tus + [
            ("Upload-Length", "\(picture.count)"),
            ("Content-Type", "application/offset+octet-stream\(parameter)"),
          ], body: Array(picture.prefix(count))
        ).expect(201)
        #expect(begun["upload-offset"] == "\(count)")
        let url = try #require(begun["location"])
        try await server.append(Array(picture.dropFirst(count)), to: url, at: count).expect(204)
        #expect(try await server.original(ofMemeOf: url) == picture)
      }
    }
  }

  @Test func `OPTIONS lists the protocol support for any requested version`() async throws {
    try await withLiveServer({ $0.maxUploadBytes = 4096 }) { server in
      for target in ["/uploads", "/uploads/5f0c9f7e-6a3b-4d53-9c1e-2b8d7e4f6a10"] {
        let answer = try await server.send("OPTIONS", target, headers: [("Tus-Resumable", "0.2.2")])
          .expect(204)
        #expect(answer["tus-version"] == "1.0.0" && answer["tus-resumable"] == "1.0.0")
        #expect(
          answer["tus-extension"] == "creation,creation-with-upload,expiration,termination")
        #expect(answer["tus-max-size"] == "4096")
      }
      let other = try await server.send("OPTIONS", "/memes").expect(204)
      #expect(other["tus-version"] == nil)
      let patch = try await server.send("OPTIONS", "/uploads/x").expect(204)
      #expect(patch["accept-patch"] == "application/offset+octet-stream")
    }
  }

  @Test func `an upload can be deleted, complete or not`() async throws {
    try await withLiveServer { server in
      let picture = try Fixture.photo.bytes
      for count in [0, 100, picture.count] {
        let url = try await server.begin(picture.count)
        try await server.append(Array(picture.prefix(count)), to: url, at: 0).expect(204)
        let answer = try await server.send("DELETE", url, headers: TestServer.tus).expect(204)
        #expect(answer["tus-resumable"] == "1.0.0")
        try await server.delete(url).expect(404, problem: "not-found")
        let head = try await server.send("HEAD", url, headers: TestServer.tus).expect(404)
        #expect(head["upload-offset"] == nil && head["tus-resumable"] == "1.0.0")
        try await server.append([1], to: url, at: count).expect(404, problem: "not-found")
      }
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_uploads") == 0)
      #expect(metrics.value("mememe_unfinished_uploads") == 0)
    }
  }

  @Test func `an upload expires a day after its last piece, and is then purged`() async throws {
    try await withDataFolder { folder in
      let clock = HeldClock()
      var url = ""
      try await withLiveServer(in: folder, now: clock.now) { server in
        url = try await server.begin(1000)
        clock.set(Upload.lifetimeMilliseconds - 1)
        try await server.append([1, 2, 3], to: url, at: 0).expect(204)
        clock.set(2 * Upload.lifetimeMilliseconds - 2)
        #expect(try await server.offset(of: url) == 3)
        clock.set(2 * Upload.lifetimeMilliseconds - 1)
        try await server.send("HEAD", url, headers: TestServer.tus).expect(404)
        try await server.append([4], to: url, at: 3).expect(404, problem: "not-found")
        #expect(try await server.metrics().value("mememe_unfinished_upload_bytes") == 3)
      }
      try await withLiveServer(in: folder, now: clock.now) { server in
        let metrics = try await server.metrics { $0.value("mememe_unfinished_uploads") == 0 }
        #expect(metrics.value("mememe_unfinished_uploads") == 0)
        #expect(metrics.value("mememe_unfinished_upload_bytes") == 0)
      }
      let (code, output) = try await ServerProcess.run(["check", "--decode", "--data", folder.path])
      #expect(code == 0, "\(output)")
    }
  }

  @Test func `deleting an account deletes its unfinished uploads`() async throws {
    try await withLiveServer { server in
      let token = try await server.signUp("ada")
      let url = try await server.begin(1000, token: token)
      try await server.append([1, 2, 3], to: url, at: 0, token: token).expect(204)
      try await server.json(
        "DELETE", "/users/me", #"{"password": "\#(TestServer.password)"}"#, token: token
      ).expect(204)
      try await server.send("HEAD", url, headers: TestServer.tus).expect(404)
      try await server.append([4], to: url, at: 3).expect(404, problem: "not-found")
    }
  }

  @Test func `a caller's unfinished uploads are limited in number and bytes`() async throws {
    try await withLiveServer({ $0.maxUploadBytes = 40_000 }) { server in
      var urls: [String] = []
      for _ in 0..<32 { urls.append(try await server.begin(1000)) }
      func begin(_ count: Int, _ token: String? = nil) async throws -> Answer {
        try await server.send(
          "POST", "/uploads",
          headers: TestServer.tus + [("Upload-Length", "\(count)")]
            + (token.map { [("Authorization", "Bearer \($0)")] } ?? []))
      }
      let refused = try await begin(1).expect(429, problem: "too-many-uploads")
      let wait = try #require(refused["retry-after"].flatMap { Int($0) })
      #expect((86_000...86_401).contains(wait))
      // Neither uploads in one piece nor those of other callers count.
      _ = try await server.ahead(.photo)
      let token = try await server.signUp("ada")
      for _ in 0..<8 { try await begin(40_000, token).expect(201) }
      try await begin(1, token).expect(429, problem: "too-many-uploads")
      try await server.delete(urls[7]).expect(204)
      try await begin(1).expect(201)
      try await begin(1).expect(429, problem: "too-many-uploads")
    }
  }
}
