import HTTP
import Support
import Testing
import Wire
import mememe

/// The CORS protocol of the Fetch standard.
struct CrossOriginTests {
  private static let origin = "https://a.example"
  private static let preflight = [
    ("Origin", origin), ("Access-Control-Request-Method", "DELETE"),
    ("Access-Control-Request-Headers", "authorization,if-match"),
  ]

  /// The responses to requests of every outcome.
  private func answers(
    of server: TestServer, _ headers: [(String, String)]
  ) async throws -> [Answer] {
    let url = try #require(try await server.upload(.moving).expect(201)["location"])
    let tag = try #require(try await server.get(url)["etag"])
    return [
      try await server.send("GET", "/healthz", headers: headers).expect(200),
      try await server.send("GET", url, headers: headers).expect(200),
      try await server.send("GET", url, headers: headers + [("If-None-Match", tag)]).expect(304),
      try await server.send("GET", "\(url)/image", headers: headers + [("Range", "bytes=0-1")])
        .expect(206),
      try await server.send("GET", "\(url)/image", headers: headers + [("Range", "bytes=-0")])
        .expect(416),
      try await server.send("GET", "/nothing", headers: headers).expect(404),
      try await server.send("DELETE", url, headers: headers).expect(401),
      try await server.send("PUT", url, headers: headers).expect(405),
      try await server.send("OPTIONS", url, headers: headers).expect(204),
      // The following errors come from the HTTP server itself.
      try await server.send("BREW", url, headers: headers).expect(501),
      try await server.send("GET", "/%", headers: headers).expect(400),
      try await server.send("GET", url, headers: headers, body: [1, 2, 3]).expect(413),
    ]
  }

  private func crossOriginFields(of answer: Answer) -> [String] {
    answer.response.headers.filter { name, value in
      name.hasPrefix("access-control") || name == "vary" && value.contains("Origin")
    }.map(\.name)
  }

  @Test func `without CORS no response has CORS headers`() async throws {
    try await withServer { server in
      for headers in [[], [("Origin", Self.origin)], Self.preflight] {
        for answer in try await answers(of: server, headers) {
          #expect(crossOriginFields(of: answer) == [])
        }
      }
    }
  }

  @Test func `a listed origin can read every response, including errors`() async throws {
    try await withServer({ $0.corsOrigins = .listed([Self.origin, "http://b.example"]) }) {
      server in
      for answer in try await answers(of: server, [("Origin", Self.origin)]) {
        #expect(answer["access-control-allow-origin"] == Self.origin, "\(answer.status)")
        let exposed = answer["access-control-expose-headers"]?.components(of: ", ") ?? []
        #expect(
          exposed.isSuperset(of: [
            "ETag", "Location", "Link", "Meme-Delete-Token", "X-Request-Id", "Retry-After",
            "Content-Range", "Content-Disposition", "Accept-Ranges", "Tus-Resumable",
            "Upload-Offset", "Upload-Length", "Upload-Expires",
          ]))
        #expect(answer["vary"]?.components(of: ", ").contains("Origin") == true)
        #expect(answer["access-control-allow-credentials"] == nil)
        #expect(answer["access-control-allow-methods"] == nil)
      }
    }
  }

  @Test func `other origins cannot read responses, which vary by Origin`() async throws {
    let others = [
      [], [("Origin", "null")], [("Origin", "https://a.example.evil.example")],
      [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "DELETE")],
    ]
    try await withServer({ $0.corsOrigins = .listed([Self.origin]) }) { server in
      for headers in others {
        for answer in try await answers(of: server, headers) {
          #expect(crossOriginFields(of: answer) == ["vary"])
          #expect(answer["vary"]?.components(of: ", ").contains("Origin") == true)
        }
      }
    }
  }

  @Test func `if any origin is allowed, every response is readable and does not vary`()
    async throws
  {
    try await withServer({ $0.corsOrigins = .any }) { server in
      for headers in [[], [("Origin", "https://x.example")]] {
        for answer in try await answers(of: server, headers) {
          #expect(answer["access-control-allow-origin"] == "*", "\(answer.status)")
          #expect(!crossOriginFields(of: answer).contains("vary"))
          #expect(answer["access-control-allow-credentials"] == nil)
        }
      }
    }
  }

  @Test(arguments: [AllowedOrigins.any, .listed([origin])])
  func `a preflight lists the path's methods and allowed headers`(
    origins: AllowedOrigins
  ) async throws {
    try await withServer({
      $0.corsOrigins = origins
      $0.anonymous = false
    }) { server in
      let id = "/memes/01234567-89ab-7def-8123-456789abcdef"
      for (target, methods) in [
        ("/memes", "GET, HEAD, POST, DELETE, OPTIONS"), (id, "GET, HEAD, PATCH, DELETE, OPTIONS"),
        ("/memes/preview", "POST, OPTIONS"),
      ] {
        let answer = try await server.send("OPTIONS", target, headers: Self.preflight).expect(204)
        #expect(answer["access-control-allow-methods"] == methods)
        let headers = answer["access-control-allow-headers"]?.components(of: ", ") ?? []
        #expect(
          headers == [
            "Authorization", "Content-Type", "If-Match", "If-None-Match", "If-Range", "Range",
            "Idempotency-Key", "Last-Event-ID", "Tus-Resumable", "Upload-Defer-Length",
            "Upload-Length", "Upload-Metadata", "Upload-Offset", "X-Request-Id",
          ])
        #expect(answer["access-control-max-age"] == "7200")
        #expect(
          answer["access-control-allow-origin"] == (origins == .any ? "*" : Self.origin))
        #expect(answer["access-control-allow-credentials"] == nil)
      }
      try await server.send("OPTIONS", "/nothing", headers: Self.preflight).expect(404)
      let plain = try await server.send("OPTIONS", "/memes", headers: [("Origin", Self.origin)])
      #expect(plain.expect(204)["access-control-allow-methods"] == nil)
    }
  }

  @Test func `only pictures may be embedded by other sites`() async throws {
    for origins in [AllowedOrigins.none, .any, .listed([Self.origin])] {
      try await withServer({ $0.corsOrigins = origins }) { server in
        let url = try #require(try await server.upload(.moving).expect(201)["location"])
        for (path, policy) in [("/image", "cross-origin"), ("", "same-origin")] {
          let answer = try await server.get(url + path).expect(200)
          #expect(answer["cross-origin-resource-policy"] == policy)
        }
        let original = try await server.get("\(url)/original", token: server.adminToken)
        #expect(original.expect(200)["cross-origin-resource-policy"] == "same-origin")
      }
    }
  }
}

extension String {
  fileprivate func components(of separator: String) -> Set<String> {
    Set(split(separator: separator).map(String.init))
  }
}
