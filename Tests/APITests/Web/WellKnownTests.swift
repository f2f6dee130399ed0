import Support
import Testing
import Wire
import mememe

/// Well-known URLs that browsers, search engines and password managers request.
struct WellKnownTests {
  @Test func `the icon is served`() async throws {
    try await withServer { server in
      let icon = try await server.get("/favicon.ico").expect(200)
      #expect(icon["content-type"] == "image/png")
      #expect(icon.response.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let tag = try #require(icon["etag"])
      try await server.send("GET", "/favicon.ico", headers: [("If-None-Match", tag)]).expect(304)
    }
  }

  @Test(arguments: [(true, "Disallow:\n"), (false, "Disallow: /\n")])
  func `search engines may crawl only open servers`(anonymous: Bool, rule: String) async throws {
    try await withServer({ $0.anonymous = anonymous }) { server in
      let robots = try await server.get("/robots.txt").expect(200)
      #expect(robots.response.text == "User-agent: *\n\(rule)")
    }
  }

  @Test func `the well-known password URL redirects to the password page`() async throws {
    try await withServer { server in
      let answer = try await server.get("/.well-known/change-password").expect(302)
      #expect(answer["location"] == "/app/settings/password")
    }
  }

  @Test func `a body without its media type is rejected with advice`() async throws {
    try await withServer { server in
      for headers in [[], [("Content-Type", "application/x-www-form-urlencoded")]] {
        let refused = try await server.send(
          "POST", "/sessions", headers: headers, body: Array(#"{"username":"ada"}"#.utf8)
        ).expect(415, problem: "unsupported-media-type")
        #expect(refused.json.detail.text?.contains("--json") == true)
      }
    }
  }
}
