import API
import Eventually
import Foundation
import HTTP
import Support
import Testing
import Wire
import mememe

@Suite(.sharedServer)
struct OperationTests {
  @Test func `health and readiness checks succeed`() async throws {
    try await withServer { server in
      #expect(try await server.get("/healthz").expect(200).json.status.text == "ok")
      let ready = try await server.get("/readyz").expect(200).json
      #expect(ready.checks.keys == ["database", "renderer", "disk"])
    }
  }

  @Test func `caches do not keep checks, and shared caches do not keep what members see`()
    async throws
  {
    try await withServer { server in
      for (target, policy) in [
        ("/healthz", "no-store"), ("/readyz", "no-store"), ("/fonts", "private, no-cache"),
      ] {
        let answer = try await server.get(target).expect(200)
        #expect(answer["cache-control"] == policy)
      }
    }
  }

  @Test func `a failed readiness check names the part; only the log has the reason`() async throws {
    try await withServer({ $0.diskFloorBytes = 1 << 50 }) { server in
      let answer = try await server.get("/readyz").expect(
        503, problem: "not-ready", lacking: [server.folder.path, "bytes free"])
      #expect(answer.json.detail.text == "Failed checks: disk.")
      #expect(answer["retry-after"] == "2")
      try await server.get("/healthz").expect(200)
      #expect(try server.log.contains("bytes free, 1125899906842624 required"))
    }
  }

  @Test func `the contract is served as in the repository`() async throws {
    try await withServer { server in
      let file = URL(filePath: #filePath).appending(path: "../../../../openapi.yaml").standardized
      let answer = try await server.get("/openapi.yaml").expect(200)
      #expect(answer.response.body == [UInt8](try Data(contentsOf: file)))
      #expect(answer.response.text.hasPrefix("openapi: 3.1.0\n"))
    }
  }

  @Test func `the contract is also served as JSON and in OpenAPI 3_0`() async throws {
    try await withServer { server in
      let json = try await server.get("/openapi.json").expect(200)
      #expect(json["content-type"] == "application/json")
      #expect(json.json.openapi.text == "3.1.0")
      let old = try await server.get("/openapi-3.0.yaml").expect(200)
      #expect(old["content-type"] == "application/yaml")
      #expect(old.response.text.hasPrefix("openapi: 3.0.3\n"))
    }
  }

  @Test func `the contract has the public URL, unless it would need escapes`() async throws {
    for (url, shown) in [
      ("https://memes.example/part", "https://memes.example/part"),
      ("https://memes.example/$x", "/"),
    ] {
      let settings = try Settings(environment: ["MEMEME_PUBLIC_URL": url], flags: [])
      try await withServer({ $0.publicURL = settings.publicURL }) { server in
        let json = try await server.get("/openapi.json").expect(200).json
        #expect(json.servers[0].url.text == shown)
        for path in ["/openapi.yaml", "/openapi-3.0.yaml"] {
          let text = try await server.get(path).expect(200).response.text
          #expect(text.contains("- url: \(shown)\n"))
          #expect(text.contains("http://127.0.0.1:8080") == (shown == "/"))
        }
      }
    }
  }

  @Test(arguments: ProblemKind.all)
  func `every problem kind has an explanatory page`(kind: ProblemKind) async throws {
    try await withSharedServer { server in
      let page = try await server.get("/problems/\(kind.code)").expect(200)
      #expect(page.response.text.contains(kind.title))
      #expect(page.response.text.contains("\(kind.status.code)"))
    }
  }

  @Test func `an unknown problem kind has no page`() async throws {
    try await withServer { server in
      try await server.get("/problems/nothing").expect(404, problem: "not-found")
    }
  }

  @Test func `redistributable fonts are served with their drawing parameters`() async throws {
    try await withServer { server in
      let faces = try await server.get("/fonts").expect(200).json.items.elements
      let shared = faces.filter { $0.file.url.text != nil }
      #expect(shared.isEmpty == false)
      for face in shared {
        let font = try await server.get(try #require(face.file.url.text)).expect(200)
        let type = try #require(font["content-type"])
        let magic: [UInt8] = type == "font/otf" ? Array("OTTO".utf8) : [0, 1, 0, 0]
        #expect(font.response.body.starts(with: magic), "\(face.id.text ?? "") \(type)")
      }
      for face in faces {
        let fitting = face.fitting
        #expect(try #require(fitting.scale.double) > 0.5)
        #expect(try #require(fitting.stretch.double) > 0.5)
        let fatten = try #require(fitting.fatten.double)
        #expect((0...0.1).contains(fatten))
      }
      for face in faces where face.file.url.text == nil {
        let id = try #require(face.id.text)
        try await server.get("/fonts/\(id)/file").expect(404, problem: "not-found")
      }
      try await server.get("/fonts/wingdings/file").expect(404, problem: "not-found")
    }
  }

  @Test func `every font names its installed family and has a sample`() async throws {
    try await withServer { server in
      let faces = try await server.get("/fonts").expect(200).json.items.elements
      #expect(faces.count >= 8)
      #expect(faces.first?.id.text == "impact")
      for face in faces {
        #expect(face.installed.text?.isEmpty == false)
        #expect(face.hasLowercase.flag != nil)
        #expect(face.scripts.elements.contains { $0.text == "Latn" })
        let url = try #require(face.sample.url.text)
        let sample = try await server.get(url).expect(200)
        #expect(sample.response.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try await server.get(url).expect(200).response.body == sample.response.body)
      }
      try await server.get("/fonts/wingdings/sample").expect(404, problem: "not-found")
    }
  }

  @Test func `a meme is drawn in the requested font`() async throws {
    try await withServer { server in
      let plain = try await server.upload(top: "one does not simply").expect(201).json
      let comic = try await server.upload(top: "one does not simply", ["font": "comic"])
        .expect(201).json
      #expect(comic.style.font.text == "comic")
      #expect(comic.image.bytes.int != plain.image.bytes.int)
    }
  }

  @Test func `HEAD returns the headers of GET without a body`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload().expect(201)["location"])
      for target in ["/healthz", url, "\(url)/image", "/memes"] {
        let get = try await server.get(target).expect(200)
        let head = try await server.send("HEAD", target)
        #expect(head.status == 200)
        #expect(head["content-length"] == get["content-length"])
        #expect(head["etag"] == get["etag"])
      }
    }
  }

  @Test func `an unsupported method gets 405, an unknown one 501`() async throws {
    try await withServer { server in
      let answer = try await server.send("PUT", "/memes").expect(
        405, problem: "method-not-allowed")
      #expect(answer["allow"] == "GET, HEAD, POST, DELETE, OPTIONS")
      try await server.send("BREW", "/memes").expect(501, problem: "not-implemented")
      try await server.get("/nothing").expect(404, problem: "not-found")
    }
  }

  @Test func `every response has a request id and security headers`() async throws {
    try await withServer { server in
      for target in ["/healthz", "/docs", "/memes", "/nothing", "/memes?x=1"] {
        let answer = try await server.send(
          "GET", target, headers: [("X-Request-Id", "my-request-1")])
        #expect(answer["x-request-id"] == "my-request-1")
        #expect(answer["x-content-type-options"] == "nosniff")
        #expect(answer["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(answer["referrer-policy"] == "no-referrer")
        #expect(answer["cross-origin-resource-policy"] != nil)
      }
      let made = try await server.send("GET", "/healthz", headers: [("X-Request-Id", "bad id")])
      #expect(made["x-request-id"]?.count == 13)
    }
  }

  @Test func `every request is logged in one line without secrets`() async throws {
    try await withServer { server in
      let answer = try await server.upload().expect(201)
      let url = try #require(answer["location"])
      let token = try #require(answer["meme-delete-token"])
      try await server.delete(url, token: token).expect(204)
      try await server.get("/a\"b%0Ac", token: nil).expect(404)
      let id = try #require(answer["x-request-id"])
      var lines: [Substring] = []
      try await eventually("three requests are logged") {
        lines = try server.log.split(separator: "\n").filter { $0.contains("request id=") }
        return lines.count >= 3
      }
      #expect(lines.count == 3)
      #expect(lines.contains { $0.contains("id=\(id)") && $0.contains("status=201") })
      #expect(!(try server.log).contains(token))
      #expect(!(try server.log).contains(server.adminToken))
    }
  }
}
