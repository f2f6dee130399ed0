import HTTP
import Support
import Testing
import Wire
import mememe

struct OptionsTests {
  @Test func `OPTIONS lists every path's methods without a token`() async throws {
    try await withLiveServer({ $0.anonymous = false }) { server in
      for route in server.routes {
        let target = route.pattern.text.replacing("{", with: "").replacing("}", with: "")
        let answer = try await server.send("OPTIONS", target).expect(204)
        let allowed = try #require(answer["allow"]).split(separator: ", ").map(String.init)
        #expect(allowed.contains(route.method.rawValue))
        #expect(allowed.contains("OPTIONS"))
        #expect(allowed.contains("GET") == allowed.contains("HEAD"))
        #expect(answer.response.body.isEmpty)
        #expect(answer["content-type"] == nil && answer["x-content-type-options"] == "nosniff")
        for method in Method.allCases where !allowed.contains(method.rawValue) {
          let refused = try await server.send(method.rawValue, target)
          #expect(refused.expect(405)["allow"] == answer["allow"])
        }
      }
      try await server.send(
        "OPTIONS", "/memes", headers: [("Authorization", "Bearer wrong")]
      ).expect(204)
    }
  }

  @Test func `Accept-Patch lists the accepted types, and a 415 lists them in Accept`()
    async throws
  {
    try await withLiveServer { server in
      let json = "application/json, application/merge-patch+json"
      for (target, types) in [
        ("/users/me", json), ("/memes/x", "\(json), multipart/form-data"), ("/memes", nil),
      ] {
        #expect(try await server.send("OPTIONS", target).expect(204)["accept-patch"] == types)
      }
      let headers = [
        ("Authorization", "Bearer \(try await server.signUp("ada"))"),
        ("Content-Type", "text/plain"),
      ]
      let refused = try await server.send(
        "PATCH", "/users/me", headers: headers, body: Array("{}".utf8))
      #expect(refused.expect(415, problem: "unsupported-media-type")["accept"] == json)
    }
  }

  @Test func `OPTIONS of an unknown path is 404`() async throws {
    try await withLiveServer { server in
      try await server.send("OPTIONS", "/nothing").expect(404, problem: "not-found")
      try await server.send("OPTIONS", "/nothing/at/all").expect(404, problem: "not-found")
    }
  }

  @Test func `the target * works for OPTIONS only`() async throws {
    try await withLiveServer { server in
      let answer = try await server.send("OPTIONS", "*").expect(204)
      #expect(answer["allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
      for method in ["GET", "HEAD", "POST", "DELETE"] {
        #expect(try await server.send(method, "*").status == 400)
      }
      try await server.send("OPTIONS", "**").expect(400, problem: "malformed-request")
    }
  }

  @Test func `a connection stays open after OPTIONS`() async throws {
    try await withLiveServer { server in
      let client = try server.connect()
      for target in ["/memes", "*", "/memes"] {
        let answer = try await client.request("OPTIONS \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.status == 204 && !answer.isClosing)
      }
      #expect(try await client.request("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    }
  }
}
