import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

/// Invalid calls of `POST /uploads`, and invalid values of the field `upload`.
struct BadUploadTests {
  @Test func `an empty or non-picture upload is rejected`() async throws {
    try await withServer { server in
      let form = FormBody([.file("image", try Fixture.photo.bytes)])
      for body in [
        [], Array("%PDF-1.7 no picture at all".utf8), Array("<svg xmlns='x'/>".utf8), form.bytes,
        try Fixture.avif.bytes,
      ] {
        try await server.sendAhead(body, headers: [("Content-Type", "image/jpeg")])
          .expect(415, problem: "unsupported-picture")
      }
      #expect(try await server.metrics().value("mememe_uploads") == 0)
    }
  }

  @Test func `a broken header and excessive dimensions are reported`() async throws {
    try await withServer({ $0.maxPixels = 640 * 480 - 1 }) { server in
      try await server.sendAhead(try Fixture.photo.bytes)
        .expect(422, problem: "invalid-input", fields: ["body too-many-pixels"])
      let cut = Array(try Fixture.transparent.bytes.prefix(20))
      try await server.sendAhead(cut)
        .expect(422, problem: "invalid-input", fields: ["body broken-picture"])
    }
    try await withServer({ $0.maxFrames = 2 }) { server in
      try await server.sendAhead(try Fixture.moving.bytes)
        .expect(422, problem: "invalid-input", fields: ["body too-many-frames"])
    }
  }

  @Test func `a file that is broken after its header is reported at rendering`() async throws {
    try await withServer { server in
      let cut = Array(try Fixture.photo.bytes.dropLast(5000))
      let id = try #require(try await server.sendAhead(cut).expect(201).json.id.text)
      for target in ["/memes", "/memes/preview", "/memes/preview"] {
        try await server.post(to: target, [.field("upload", id)])
          .expect(422, problem: "invalid-input", fields: ["upload broken-picture"])
      }
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `a file over the limit is 413, with or without a declared length`() async throws {
    try await withLiveServer({ $0.maxUploadBytes = 4096 }) { server in
      let large = [UInt8](repeating: 0xFF, count: 4097)
      try await server.sendAhead(large).expect(413, problem: "content-too-large")
      let client = try server.connect()
      await client.send(
        Array(
          "POST /uploads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1001\r\n".utf8)
          + large + Array("\r\n0\r\n\r\n".utf8))
      Answer(try await client.response()).expect(413, problem: "content-too-large")
      #expect(try await server.metrics().value("mememe_uploads") == 0)
    }
  }

  @Test func `uploads are rejected without disk space or a token`() async throws {
    try await withServer({ $0.diskFloorBytes = 1 << 50 }) { server in
      try await server.sendAhead(try Fixture.photo.bytes).expect(507, problem: "storage-full")
    }
    try await withServer({ $0.anonymous = false }) { server in
      let picture = try Fixture.photo.bytes
      try await server.sendAhead(picture).expect(401, problem: "unauthorized")
      try await server.sendAhead(picture, token: "x").expect(401, problem: "unauthorized")
      try await server.sendAhead(picture, token: server.adminToken).expect(201)
    }
  }

  @Test func `uploads are not listed, and the call takes no query`() async throws {
    try await withServer { server in
      let id = try await server.ahead(.photo)
      try await server.get("/uploads").expect(405, problem: "method-not-allowed", lacking: [id])
      try await server.send("POST", "/uploads?name=x", body: try Fixture.photo.bytes)
        .expect(422, problem: "invalid-input", fields: ["name unknown-field"])
    }
  }

  @Test func `only one field can give the picture, and each excess one is reported`() async throws {
    try await withServer { server in
      let id = try await server.ahead(.photo)
      let both: [FormBody.Part] = [
        .file("image", try Fixture.photo.bytes), .field("upload", id), .field("fill", "red"),
      ]
      for target in ["/memes", "/memes/preview"] {
        try await server.post(to: target, both).expect(
          422, problem: "invalid-input",
          fields: ["image not-together", "upload not-together", "fill invalid-colour"])
        try await server.post(to: target, [.field("upload", "x"), .field("fill", "red")]).expect(
          422, problem: "invalid-input", fields: ["upload invalid-uuid", "fill invalid-colour"])
        try await server.post(to: target, [.field("upload", "")])
          .expect(422, problem: "invalid-input", fields: ["upload invalid-uuid"])
        try await server.post(to: target, [.field("top", "x")])
          .expect(422, problem: "invalid-input", fields: ["image missing"])
      }
    }
  }
}
