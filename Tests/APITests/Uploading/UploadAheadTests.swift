import Eventually
import Foundation
import Memes
import Support
import Synchronization
import Testing
import Wire

/// Pictures that are uploaded to `POST /uploads`, and memes made of them.
struct UploadAheadTests {
  @Test(arguments: [
    (Fixture.photo, "image/jpeg", 640, 480), (.cmyk, "image/jpeg", 267, 200),
    (.webp, "image/webp", 320, 240), (.transparent, "image/png", 120, 90),
    (.moving, "image/gif", 100, 80),
  ])
  func `the bytes determine the format, whatever the Content-Type`(
    picture: Fixture, type: String, width: Int, height: Int
  ) async throws {
    let time = Timestamp(millisecondsSince1970: 1_795_000_000_000)
    try await withServer(now: { time }) { server in
      var ids: Set<String> = []
      for header in ["text/html", "multipart/form-data", "application/json", nil] {
        let answer = try await server.sendAhead(
          try picture.bytes, headers: header.map { [("Content-Type", $0)] } ?? []
        ).expect(201)
        #expect(answer["cache-control"] == "no-store")
        #expect(answer["location"] == nil)
        let upload = answer.json
        #expect([upload.width.int, upload.height.int] == [width, height])
        #expect(upload.mediaType.text == type)
        #expect(upload.expiresAt.text == "2026-11-19T11:06:40.000Z")
        let id = try #require(upload.id.text)
        // Version 4 is random, so the id reveals nothing.
        #expect(id.dropFirst(14).first == "4")
        ids.insert(id)
      }
      #expect(ids.count == 4)
    }
  }

  @Test func `a meme of an upload equals one whose form has the picture`() async throws {
    try await withServer { server in
      let picture = try Fixture.photo.bytes
      let id = try await server.ahead(.photo)
      let fields: [FormBody.Part] = [.field("top", "so it begins"), .field("maxEdge", "300")]
      let made = try await server.post([.field("upload", id)] + fields).expect(201).json
      let plain = try await server.post([.file("image", picture)] + fields).expect(201).json
      for name in ["image", "original", "thumbnail?view=grid", "thumbnail?view=table"] {
        func file(of meme: JSON) async throws -> [UInt8] {
          try await server.get("/memes/\(meme.id.text ?? "")/\(name)", token: server.adminToken)
            .expect(200).response.body
        }
        let shown = try await file(of: made)
        let wanted = try await file(of: plain)
        #expect(shown == wanted, "\(name)")
        if name == "original" { #expect(shown == picture) }
      }
      #expect(made.fit == plain.fit)
      // The upload can be used again, and no response or log has its id.
      let again = try await server.post([.field("upload", id)]).expect(201, lacking: [id])
      try await server.get("/memes/\(again.json.id.text ?? "")").expect(200, lacking: [id])
      #expect(!(try server.log).contains(id))
    }
  }

  @Test(arguments: [Fixture.photo, .transparent, .cmyk, .moving], [nil, "64", "300"])
  func `previews of an upload equal previews of the picture`(
    picture: Fixture, edge: String?
  ) async throws {
    try await withServer { server in
      let id = try await server.ahead(picture)
      for top in ["one", "one does", "one does not"] {
        let fields: [FormBody.Part] =
          [.field("top", top)] + (edge.map { [.field("maxEdge", $0)] } ?? [])
        let plain = try await server.post(
          to: "/memes/preview", [.file("image", try picture.bytes)] + fields
        ).expect(200)
        let preview = try await server.post(to: "/memes/preview", [.field("upload", id)] + fields)
          .expect(200)
        #expect(preview["content-type"] == plain["content-type"])
        #expect(preview.response.body == plain.response.body)
      }
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `an upload and its memes survive a restart`() async throws {
    try await withDataFolder { folder in
      var id = ""
      try await withServer(in: folder) { id = try await $0.ahead(.photo) }
      try await withServer(in: folder) { server in
        let meme = try await server.post([.field("upload", id), .field("top", "x")]).expect(201)
        #expect(meme.json.image.width.int == 640)
      }
    }
  }

  @Test func `an acknowledged upload survives kill -9`() async throws {
    try await withDataFolder { folder in
      let picture = try Fixture.photo.bytes
      let head = "POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: \(picture.count)\r\n\r\n"
      let server = try await ServerProcess(data: folder)
      let answer = try await server.send(Array(head.utf8) + picture)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      let id = try #require(answer.expect(201).json.id.text)
      try await withServer(in: folder) { server in
        let meme = try await server.post([.field("upload", id)]).expect(201).json
        let original = try await server.get(
          "/memes/\(meme.id.text ?? "")/original", token: server.adminToken)
        #expect(original.response.body == picture)
      }
    }
  }

  @Test func `an upload expires after a day, used or not`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let id = try await server.ahead(.photo)
      let form: [FormBody.Part] = [.field("upload", id), .field("top", "x")]
      clock.set(Upload.lifetimeMilliseconds - 1)
      try await server.post(to: "/memes/preview", form).expect(200)
      let meme = try await server.post(form).expect(201).json
      clock.set(Upload.lifetimeMilliseconds)
      let unknown: [FormBody.Part] = [.field("upload", "5f0c9f7e-6a3b-4d53-9c1e-2b8d7e4f6a10")]
      for target in ["/memes", "/memes/preview"] {
        let expired = try await server.post(to: target, form)
          .expect(422, problem: "invalid-input", fields: ["upload unknown-upload"])
        let never = try await server.post(to: target, unknown)
          .expect(422, problem: "invalid-input", fields: ["upload unknown-upload"])
        #expect(expired.json.detail == never.json.detail)
      }
      // The meme has its own copy.
      try await server.get("/memes/\(meme.id.text ?? "")/original", token: server.adminToken)
        .expect(200)
    }
  }

  @Test func `a client id stays valid after its upload has expired`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let (id, other) = (try await server.ahead(.photo), try await server.ahead(.photo))
      let meme = "0123abcd-89ab-4def-8123-456789abcdef"
      func form(_ upload: String) -> [FormBody.Part] {
        [.field("upload", upload), .field("id", meme), .field("top", "x")]
      }
      try await server.post(form(id)).expect(201)
      clock.set(2 * Upload.lifetimeMilliseconds)
      try await server.post(form(id)).expect(200)
      try await server.post(form(id.uppercased())).expect(200)
      try await server.post(form(other)).expect(409, problem: "id-taken")
    }
  }

  @Test func `the next start purges expired uploads, and mememe check finds no errors`()
    async throws
  {
    try await withDataFolder { folder in
      let clock = HeldClock()
      try await withServer(in: folder, now: clock.now) { server in
        _ = try await server.ahead(.photo)
        clock.set(1)
        let id = try await server.ahead(.webp)
        try await server.post([.field("upload", id)]).expect(201)
        let metrics = try await server.metrics()
        #expect(metrics.value("mememe_uploads") == 2)
        let bytes = try Fixture.photo.bytes.count + Fixture.webp.bytes.count
        #expect(metrics.value("mememe_upload_bytes") == Double(bytes))
      }
      clock.set(Upload.lifetimeMilliseconds)
      try await withServer(in: folder, now: clock.now) { server in
        let metrics = try await server.metrics { $0.value("mememe_uploads") == 1 }
        #expect(metrics.value("mememe_uploads") == 1)
        #expect(metrics.value("mememe_upload_bytes") == Double(try Fixture.webp.bytes.count))
        let line = #/expired uploads removed .*uploads=1/#
        // The line is logged after the removal.
        try await eventually("the removal is logged") { try server.log.contains(line) }
      }
      let (code, output) = try await ServerProcess.run(["check", "--decode", "--data", folder.path])
      #expect(code == 0, "\(output)")
      #expect(
        output.contains(
          "checked 1 memes (0 in the trash), 1 uploads (0 more unfinished), 0 templates, 0 avatars, 5 pictures"
        ))
    }
  }
}

/// A clock that stands still until a test sets it.
final class HeldClock: Sendable {
  private let milliseconds = Mutex<Int64>(0)

  var now: @Sendable () -> Timestamp {
    { [self] in Timestamp(millisecondsSince1970: milliseconds.withLock { $0 }) }
  }

  func set(_ milliseconds: Int64) { self.milliseconds.withLock { $0 = milliseconds } }
}

extension TestServer {
  /// Uploads a picture.
  ///
  /// - Returns: The upload's id.
  func ahead(_ picture: Fixture) async throws -> String {
    try #require(try await sendAhead(try picture.bytes).expect(201).json.id.text)
  }
}
