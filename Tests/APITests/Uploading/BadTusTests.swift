import Foundation
import Support
import Testing
import Wire
import mememe

/// Invalid resumable uploads.
struct BadTusTests {
  private func begin(
    _ server: TestServer, _ fields: [(String, String)], _ body: [UInt8]? = nil
  ) async throws -> Answer {
    try await server.send("POST", "/uploads", headers: TestServer.tus + fields, body: body)
  }

  @Test func `another protocol version is rejected with the supported one`() async throws {
    try await withServer { server in
      let url = try await server.begin(100)
      for version in ["0.2.2", "1.0", "1.0.0, 1.0.0", ""] {
        let headers = [("Tus-Resumable", version), ("Upload-Length", "100")]
        for (method, target) in [("POST", "/uploads"), ("HEAD", url), ("DELETE", url)] {
          let answer = try await server.send(method, target, headers: headers).expect(412)
          #expect(answer["tus-version"] == "1.0.0" && answer["tus-resumable"] == "1.0.0")
        }
      }
      // PATCH requires the tus protocol.
      let piece = [("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0")]
      try await server.send("PATCH", url, headers: piece, body: [1])
        .expect(412, problem: "unsupported-tus-version")
      #expect(try await server.offset(of: url) == 0)
      #expect(try await server.metrics().value("mememe_unfinished_uploads") == 1)
    }
  }

  @Test func `an invalid, oversized or deferred length starts no upload`() async throws {
    try await withServer({ $0.maxUploadBytes = 4096 }) { server in
      for length in ["", "x", "-1", "1.5", "+5", "0x10", "1 2", "1, 2"] {
        try await begin(server, [("Upload-Length", length)])
          .expect(400, problem: "malformed-request")
      }
      try await begin(server, []).expect(400, problem: "malformed-request")
      try await begin(server, [("Upload-Length", "5"), ("Upload-Length", "5")])
        .expect(400, problem: "malformed-request")
      for headers in [
        [("Upload-Defer-Length", "1")], [("Upload-Defer-Length", "1"), ("Upload-Length", "5")],
      ] { try await begin(server, headers).expect(400, problem: "malformed-request") }
      for length in ["4097", "99999999999999999999999"] {
        let answer = try await begin(server, [("Upload-Length", length)])
          .expect(413, problem: "content-too-large")
        #expect(answer["tus-max-size"] == "4096")
      }
      for length in ["0", "000"] {
        try await begin(server, [("Upload-Length", length)])
          .expect(415, problem: "unsupported-picture")
      }
      try await begin(server, [("Upload-Length", "4096")]).expect(201)
      #expect(try await server.metrics().value("mememe_unfinished_uploads") == 1)
    }
  }

  @Test func `metadata has unique keys with Base64 values`() async throws {
    try await withServer { server in
      for metadata in [
        "a YQ==,a YQ==", "a YQ", "a YQ=", "a Y===", "a YQ==YQ==", "a Y Q==", ",", "a,", ",a",
        "ü YQ==",
        "a YQ== b", "a *AAA",
      ] {
        try await begin(server, [("Upload-Length", "5"), ("Upload-Metadata", metadata)])
          .expect(400, problem: "malformed-request")
      }
      for metadata in [
        "", "a", "a ", "a YQ==", "a YQ==,b", "a, b YWI=", "name AAAA,type /+8=",
      ] {
        try await begin(server, [("Upload-Length", "5"), ("Upload-Metadata", metadata)]).expect(201)
      }
    }
  }

  @Test func `a piece needs its type and offset, and must fit the rest`() async throws {
    try await withLiveServer { server in
      let url = try await server.begin(10)
      func patch(_ fields: [(String, String)], _ body: [UInt8] = [1, 2, 3]) async throws -> Answer {
        try await server.send("PATCH", url, headers: TestServer.tus + fields, body: body)
      }
      let type = ("Content-Type", "application/offset+octet-stream")
      for other in [[], [("Content-Type", "application/json")], [("Content-Type", "image/jpeg")]] {
        let answer = try await patch(other + [("Upload-Offset", "0")])
          .expect(415, problem: "unsupported-media-type")
        #expect(answer["accept"] == "application/offset+octet-stream")
        #expect(answer["tus-resumable"] == "1.0.0")
      }
      for offset in [[], [("Upload-Offset", "-1")], [("Upload-Offset", "x")]] {
        try await patch([type] + offset).expect(400, problem: "malformed-request")
      }
      for offset in ["1", "10", "99999999999999999999999"] {
        let answer = try await patch([type, ("Upload-Offset", offset)])
          .expect(409, problem: "offset-mismatch")
        #expect(answer["tus-resumable"] == "1.0.0")
      }
      try await patch([type, ("Upload-Offset", "0")], [UInt8](repeating: 1, count: 11))
        .expect(413, problem: "content-too-large")
      // Without a declared length, the excess shows only while the body arrives.
      let client = try server.connect()
      await client.send(
        """
        PATCH \(url) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
        Content-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n\r
        6\r\nabcdef\r\n6\r\nabcdef\r\n0\r\n\r\n
        """)
      let answer = Answer(try await client.response()).expect(413, problem: "content-too-large")
      #expect(answer["tus-resumable"] == "1.0.0")
      #expect(try await server.offset(of: url) == 0)
      try await server.send("HEAD", "/uploads/nonsense", headers: TestServer.tus).expect(404)
      try await server.append([1], to: "/uploads/5f0c9f7e-6a3b-4d53-9c1e-2b8d7e4f6a10", at: 0)
        .expect(404, problem: "not-found")
    }
  }

  @Test func `a completed upload that is not a picture is rejected and removed`() async throws {
    try await withServer({ $0.maxPixels = 640 * 480 - 1 }) { server in
      let text = Array("%PDF-1.7 no picture at all".utf8)
      let large = try Fixture.photo.bytes
      for bytes in [text, large] {
        let url = try await server.begin(bytes.count)
        try await server.append(Array(bytes.prefix(10)), to: url, at: 0).expect(204)
        let answer = try await server.append(Array(bytes.dropFirst(10)), to: url, at: 10)
        if bytes == text {
          answer.expect(415, problem: "unsupported-picture")
        } else {
          answer.expect(422, problem: "invalid-input", fields: ["body too-many-pixels"])
        }
        #expect(answer["tus-resumable"] == "1.0.0")
        try await server.send("HEAD", url, headers: TestServer.tus).expect(404)
      }
      #expect(try await server.metrics().value("mememe_unfinished_uploads") == 0)
    }
  }

  @Test func `a body of the creation request is a piece or is rejected`() async throws {
    try await withServer { server in
      let type = ("Content-Type", "application/offset+octet-stream")
      try await begin(server, [("Upload-Length", "5")], [1, 2])
        .expect(415, problem: "unsupported-media-type")
      try await begin(server, [("Upload-Length", "1"), type], [1, 2])
        .expect(413, problem: "content-too-large")
      try await begin(server, [("Upload-Length", "2"), type], [1, 2])
        .expect(415, problem: "unsupported-picture")
      #expect(try await server.metrics().value("mememe_unfinished_uploads") == 0)
    }
  }

  @Test func `resumable uploads are rejected without disk space or a token`() async throws {
    try await withServer({ $0.diskFloorBytes = 1 << 50 }) { server in
      try await begin(server, [("Upload-Length", "5")]).expect(507, problem: "storage-full")
    }
    try await withServer({ $0.anonymous = false }) { server in
      let url = try await server.begin(5, token: server.adminToken)
      for method in ["HEAD", "DELETE"] {
        let answer = try await server.send(method, url, headers: TestServer.tus).expect(401)
        #expect(answer["tus-resumable"] == "1.0.0")
      }
      try await server.append([1], to: url, at: 0).expect(401, problem: "unauthorized")
      try await begin(server, [("Upload-Length", "5")]).expect(401, problem: "unauthorized")
      #expect(try await server.offset(of: url, token: server.adminToken) == 0)
    }
  }
}
