import API
import HTTP
import Support
import Testing
import Wire
import mememe

struct SuspensionTests {
  /// Registers a user.
  ///
  /// - Returns: the headers of a browser in which the user is signed in.
  private func browser(of name: String, on server: TestServer) async throws -> [(String, String)] {
    try await server.register(name).expect(201)
    let same = [("Sec-Fetch-Site", "same-origin")]
    let field = try #require(
      try await server.signIn(name, cookie: true, headers: same).expect(201)["set-cookie"])
    return [("Cookie", String(field.prefix { $0 != ";" }))] + same
  }

  @Test func `a suspension begins and ends with the next request`() async throws {
    try await withServer { server in
      let (token, elsewhere) = (try await server.signUp("eve"), try await server.token("eve"))
      try await server.get("/users/me", token: token).expect(200)
      // Suspending twice is the same as once, and usernames ignore case.
      try await server.suspend("eve", #"{"reason":"sells watches"}"#).expect(204)
      try await server.suspend("EVE").expect(204)
      for token in [token, elsewhere] {
        for target in ["/users/me", "/memes", "/sessions", "/admin/stats"] {
          try await server.get(target, token: token)
            .expect(403, problem: "suspended", lacking: ["watches"])
        }
        try await server.upload(headers: [("Authorization", "Bearer \(token)")])
          .expect(403, problem: "suspended")
      }
      for _ in 0..<2 {
        try await server.delete("/admin/users/eve/suspension", token: server.adminToken).expect(204)
      }
      try await server.get("/users/me", token: token).expect(200)
      try await server.get("/users/me", token: elsewhere).expect(200)
      #expect(try await server.acts() == ["token unsuspend eve", "token suspend eve"])
    }
  }

  @Test func `a suspended account cannot sign in; only the right password reveals the suspension`()
    async throws
  {
    try await withServer { server in
      try await server.register("eve").expect(201)
      try await server.suspend("eve").expect(204)
      try await server.signIn("eve").expect(403, problem: "suspended")
      try await server.signIn("eve@example.org").expect(403, problem: "suspended")
      try await server.signIn("eve", password: "a wrong password")
        .expect(401, problem: "wrong-credentials")
      try await server.delete("/admin/users/eve/suspension", token: server.adminToken).expect(204)
      try await server.signIn("eve").expect(201)
    }
  }

  @Test func `a suspended account can sign out and be deleted`() async throws {
    try await withServer { server in
      let (here, there) = (try await server.signUp("eve"), try await server.token("eve"))
      try await server.suspend("eve").expect(204)
      try await server.delete("/sessions/current", token: there).expect(204)
      try await server.get("/users/me", token: there).expect(401, problem: "unauthorized")
      let proof = #"{"password":"\#(TestServer.password)"}"#
      try await server.json("DELETE", "/users/me", proof, token: here).expect(204)
      try await server.get("/users/me", token: here).expect(401, problem: "unauthorized")
      // The name is free again, and no longer suspended.
      _ = try await server.signUp("eve")
    }
  }

  @Test func `a suspended account's cookie reads like an anonymous request`() async throws {
    try await withServer { server in
      let shown = try await browser(of: "eve", on: server)
      let url = try #require(try await server.upload(headers: shown).expect(201)["location"])
      try await server.suspend("eve").expect(204)
      for target in ["/memes", url, "/users/eve"] {
        try await server.send("GET", target, headers: shown).expect(200)
      }
      for target in ["/users/me", "/sessions", "/admin/audit"] {
        try await server.send("GET", target, headers: shown).expect(403, problem: "suspended")
      }
      // A 401 would mean that the session has ended.
      try await server.send("GET", "/memes?author=me", headers: shown).expect(
        403, problem: "suspended")
      try await server.upload(headers: shown).expect(403, problem: "suspended")
      try await server.send("DELETE", "/sessions", headers: shown).expect(204)
    }
  }

  @Test func `a suspended account's cookie is rejected as such without anonymous access`()
    async throws
  {
    try await withServer({ $0.anonymous = false }) { server in
      let shown = try await browser(of: "eve", on: server)
      let url = try #require(try await server.upload(headers: shown).expect(201)["location"])
      try await server.suspend("eve").expect(204)
      for target in ["/memes", url] {
        try await server.send("GET", target, headers: shown).expect(403, problem: "suspended")
      }
      // The page of a meme leads to the sign-in, as without a cookie.
      let page = try await server.send(
        "GET", url.replacing("/memes/", with: "/m/"), headers: shown + [("Accept", "text/html")]
      ).expect(401)
      #expect(page["content-type"]?.hasPrefix("text/html") == true)
    }
  }

  @Test func `a suspension applies to every route that checks tokens`() async throws {
    try await withServer { server in
      let token = try await server.signUp("eve")
      try await server.suspend("eve").expect(204)
      let id = "01a1fd23-205b-7c4e-9b1d-3f6a8c2e5d70"
      // Other tests cover the calls that a suspended account may make.
      let free: Set = [
        "DELETE /users/me", "POST /users/me/export", "DELETE /sessions",
        "DELETE /sessions/{session}",
      ]
      for route in server.routes where ![.open, .machine].contains(route.access) {
        let name = "\(route.method.rawValue) \(route.pattern.text)"
        if free.contains(name) { continue }
        try await server.send(
          route.method.rawValue, route.pattern.text.replacing(/\{\w+\}/, with: id),
          headers: [("Authorization", "Bearer \(token)")]
        ).expect(403, problem: "suspended")
      }
    }
  }

  @Test func `admins can suspend others but not themselves`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUpAdmin("ada"), try await server.signUpAdmin("bob"))
      try await server.suspend("ada", token: ada).expect(403, problem: "forbidden")
      try await server.suspend("bob", token: ada).expect(204)
      try await server.get("/admin/stats", token: bob).expect(403, problem: "suspended")
      try await server.suspend("ada").expect(204)
      try await server.suspend("nobody").expect(404, problem: "not-found")
      try await server.suspend("no-name").expect(404, problem: "not-found")
      try await server.suspend("bob", #"{"reason":7,"x":1}"#).expect(
        422, problem: "invalid-input", fields: ["reason not-a-text", "x unknown-field"])
      try await server.suspend("bob", #"{"reason":"\#(String(repeating: "x", count: 1001))"}"#)
        .expect(422, problem: "invalid-input", fields: ["reason too-long"])
      #expect(
        try await server.acts().prefix(2) == ["token suspend ada", "ada suspend bob"])
    }
  }
}
