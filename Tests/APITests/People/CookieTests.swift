import HTTP
import Support
import Testing
import Wire
import mememe

/// Cookie sessions of browsers.
struct CookieTests {
  private static let same = [("Sec-Fetch-Site", "same-origin")]

  /// - Returns: The cookie as a browser sends it.
  private func signIn(_ server: TestServer, _ name: String = "mememe") async throws -> String {
    try await server.register("ada").expect(201)
    let answer = try await server.signIn("ada", cookie: true, headers: Self.same).expect(201)
    #expect(answer.json.token == .null)
    let field = try #require(answer["set-cookie"])
    let cookie = String(field.prefix { $0 != ";" })
    #expect(cookie.hasPrefix("\(name)="))
    return cookie
  }

  @Test func `a page signs in, reads and signs out with an HttpOnly cookie`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      let me = try await server.send("GET", "/users/me", headers: [("Cookie", cookie)]).expect(200)
      #expect(me.json.username.text == "ada")
      let others = "theme=dark; \(cookie); lang=en"
      try await server.send("GET", "/users/me", headers: [("Cookie", others)]).expect(200)
      let out = try await server.send(
        "DELETE", "/sessions/current", headers: [("Cookie", cookie)] + Self.same
      ).expect(204)
      #expect(out["set-cookie"]?.hasPrefix("mememe=; Max-Age=0; Path=/; HttpOnly") == true)
      try await server.send("GET", "/users/me", headers: [("Cookie", cookie)])
        .expect(401, problem: "unauthorized")
    }
  }

  @Test func `with HTTPS the cookie is bound to the host`() async throws {
    let url = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://Memes.example:443/"], flags: []
    ).publicURL
    try await withServer({ $0.publicURL = url }) { server in
      try await server.register("ada").expect(201)
      let answer = try await server.signIn(
        "ada", cookie: true, headers: [("Origin", "https://memes.example")]
      ).expect(201)
      let field = try #require(answer["set-cookie"])
      #expect(field.hasPrefix("__Host-mememe="))
      #expect(
        field.hasSuffix("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure"))
      let cookie = String(field.prefix { $0 != ";" })
      try await server.send("GET", "/users/me", headers: [("Cookie", cookie)]).expect(200)
      // A cookie that another host of the domain, or plain HTTP, could have set.
      let plain = String(cookie.dropFirst("__Host-".count))
      try await server.send("GET", "/users/me", headers: [("Cookie", plain)]).expect(401)
      for (origin, status) in [
        ("https://memes.example", 200), ("http://memes.example", 403),
        ("https://memes.example:8443", 403), ("http://127.0.0.1:\(server.port)", 403),
      ] {
        try await server.json(
          "PATCH", "/users/me", "{}", headers: [("Cookie", cookie), ("Origin", origin)]
        ).expect(status)
      }
    }
  }

  @Test func `cross-site requests with the cookie are rejected`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      let own = "http://127.0.0.1:\(server.port)"
      let matrix: [(headers: [(String, String)], passes: Bool)] = [
        ([("Sec-Fetch-Site", "same-origin")], true),
        ([("Sec-Fetch-Site", "none")], true),
        ([("Sec-Fetch-Site", "none"), ("Origin", own)], true),
        ([("Sec-Fetch-Site", "none"), ("Origin", "http://evil.example")], false),
        ([("Sec-Fetch-Site", "none"), ("Origin", "null")], false),
        ([("Sec-Fetch-Site", "same-site")], false),
        ([("Sec-Fetch-Site", "cross-site")], false),
        ([("Sec-Fetch-Site", "cross-site"), ("Origin", own)], false),
        ([("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")], false),
        ([("Sec-Fetch-Site", "")], false),
        ([("Origin", own)], true),
        ([("Origin", "null")], false),
        ([("Origin", "https://127.0.0.1:\(server.port)")], false),
        ([("Origin", "http://127.0.0.1")], false),
        ([("Origin", "http://evil.example")], false),
        ([("Origin", own), ("Origin", "http://evil.example")], false),
        ([], false),
      ]
      for (headers, passes) in matrix {
        let answer = try await server.json(
          "PATCH", "/users/me", #"{"bio":"x"}"#, headers: [("Cookie", cookie)] + headers)
        if passes {
          answer.expect(200)
        } else {
          answer.expect(403, problem: "cross-site")
        }
        // Reads change nothing, and only the page itself can send an `Authorization` header.
        try await server.send("GET", "/users/me", headers: [("Cookie", cookie)] + headers)
          .expect(200)
      }
      let token = try await server.token("ada")
      try await server.json(
        "PATCH", "/users/me", "{}", token: token,
        headers: [("Cookie", cookie), ("Sec-Fetch-Site", "cross-site")]
      ).expect(200)
    }
  }

  @Test func `requests with a cookie get only pictures from the cache`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      let ada = try await server.token("ada")
      let url = try #require(
        try await server.upload(headers: [("Authorization", "Bearer \(ada)")]).expect(201)[
          "location"])
      func hits(_ target: String, headers: [(String, String)]) async throws -> Double {
        let name = "mememe_answers_from_memory_total"
        let before = try await server.metrics().value(name)
        try await server.send("GET", target, headers: headers).expect(200)
        return try await server.metrics().value(name) - before
      }
      for (target, isReady) in [
        ("\(url)/thumbnail?view=grid", true), ("\(url)/image", true), (url, false),
        ("/memes", false), ("\(url)/share", false),
      ] {
        // The first response without a cookie is cached.
        for _ in 0..<2 { try await server.get(target).expect(200) }
        #expect(try await hits(target, headers: []) == 1, "\(target)")
        let withCookie = try await hits(target, headers: [("Cookie", cookie)])
        #expect(withCookie == (isReady ? 1 : 0), "\(target)")
      }
      // A picture for friends is private and not cached.
      try await server.patch(url, #"{"visibility": "friends"}"#, token: ada).expect(200)
      try await server.get("\(url)/image").expect(404)
      let own = try await server.send("GET", "\(url)/image", headers: [("Cookie", cookie)]).expect(
        200)
      #expect(own["cache-control"]?.contains("private") == true)
      try await server.get("\(url)/image").expect(404)
    }
  }

  @Test func `forged requests change nothing on any route`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      let forged = [("Cookie", cookie), ("Sec-Fetch-Site", "cross-site")]
      for route in server.routes where ![.get, .head].contains(route.method) {
        let id = "01a1fd23-205b-7c4e-9b1d-3f6a8c2e5d70"
        let target = route.pattern.text.replacing(/\{\w+\}/, with: id)
        // These calls do not authenticate the caller.
        let open = [
          "/users", "/sessions", "/password-resets", "/password-resets/\(id)",
          "/email-confirmations",
        ]
        let isOpen = [.post, .put].contains(route.method) && open.contains(target)
        guard !isOpen else { continue }
        try await server.send(route.method.rawValue, target, headers: forged)
          .expect(403, problem: "cross-site")
      }
      try await server.signIn("ada", cookie: true, headers: [("Sec-Fetch-Site", "cross-site")])
        .expect(403, problem: "cross-site")
      try await server.signIn("ada", cookie: true).expect(403, problem: "cross-site")
      #expect(
        try await server.send("GET", "/sessions", headers: [("Cookie", cookie)]).json.items
          .elements.count == 1)
    }
  }

  @Test func `the cookie of an ended session reads anonymously and changes nothing`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      let shown = [("Cookie", cookie)] + Self.same
      try await server.send("DELETE", "/sessions", headers: shown).expect(204)
      try await server.send("GET", "/memes", headers: shown).expect(200)
      try await server.send("GET", "/users/me", headers: shown).expect(401)
      let refused = try await server.upload(headers: shown).expect(401, problem: "unauthorized")
      #expect(refused["set-cookie"]?.hasPrefix("mememe=; Max-Age=0") == true)
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
      try await server.signIn("ada", cookie: true, headers: shown).expect(201)
    }
  }

  @Test func `an invalid cookie reads anonymously`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      for wrong in [
        "", "=", ";;;", "mememe", "mememe=", "\(cookie); \(cookie)", "x\(cookie)",
        "mememe=\(String(repeating: "x", count: 600))", "mememe=\u{E9}\u{301}",
      ] {
        try await server.send("GET", "/users/me", headers: [("Cookie", wrong)]).expect(401)
        try await server.send("GET", "/memes", headers: [("Cookie", wrong)]).expect(200)
      }
    }
  }

  @Test func `an invalid session cookie cannot upload anonymously`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      for wrong in ["mememe=", "mememe=\(String(repeating: "x", count: 600))", "mememe=\u{E9}"] {
        let refused = try await server.upload(headers: [("Cookie", wrong)] + Self.same)
          .expect(401, problem: "unauthorized")
        #expect(refused["set-cookie"]?.hasPrefix("mememe=; Max-Age=0") == true)
      }
      // Clearing one cookie would leave the other, which may belong to another session.
      for twice in ["\(cookie); \(cookie)", "\(cookie); mememe=x", "mememe=x; \(cookie)"] {
        let refused = try await server.upload(headers: [("Cookie", twice)] + Self.same)
          .expect(401, problem: "unauthorized")
        #expect(refused["set-cookie"] == nil)
        let token = try await server.token("ada")
        let ended = try await server.send(
          "DELETE", "/sessions/current",
          headers: [("Cookie", twice), ("Authorization", "Bearer \(token)")])
        #expect(ended.expect(204)["set-cookie"] == nil)
      }
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `cached lists are not served to requests with a cookie`() async throws {
    try await withServer { server in
      let cookie = try await signIn(server)
      try await server.get("/memes").expect(200)
      func hits() async throws -> Double? {
        try await server.metrics().value("mememe_answers_from_memory_total")
      }
      let before = try await hits()
      try await server.send("GET", "/memes", headers: [("Cookie", cookie)]).expect(200)
      #expect(try await hits() == before)
      try await server.get("/memes").expect(200)
      #expect(try await hits() == before.map { $0 + 1 })
    }
  }
}
