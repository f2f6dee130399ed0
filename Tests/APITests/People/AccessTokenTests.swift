import Eventually
import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

struct AccessTokenTests {
  private static let minute: Int64 = 60_000
  private static let password = #""password":"\#(TestServer.password)""#

  private static func make(
    _ server: TestServer, _ json: String, token: String?, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await server.json("POST", "/users/me/tokens", json, token: token, headers: headers)
  }

  @Test func `a token is shown once, and works until it is deleted`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let answer = try await Self.make(
        server, #"{"name":"Backup 🐈","scopes":["write","read","read"],"expiresAt":null}"#,
        token: ada, headers: [("Idempotency-Key", "k")]
      ).expect(201)
      #expect(answer["cache-control"] == "no-store" && answer["etag"] == nil)
      #expect(answer["idempotent-replayed"] == nil)
      let made = answer.json
      let token = try #require(made.token.text)
      #expect(token.wholeMatch(of: /mm_[A-Za-z0-9_-]{32}/) != nil)
      #expect(made.name.text == "Backup 🐈" && made.expiresAt == .null)
      #expect(made.scopes[0].text == "read" && made.scopes[1].text == "write")
      #expect(made.scopes[2] == .null)
      // The key has no effect: the same request makes another token.
      let other = try await Self.make(
        server, #"{"name":"Backup 🐈","scopes":["write","read","read"],"expiresAt":null}"#,
        token: ada, headers: [("Idempotency-Key", "k")]
      ).expect(201).json
      #expect(other.id != made.id && other.token != made.token)

      let list = try await server.get("/users/me/tokens", token: ada).expect(200)
      #expect(list.json.items[0].id == other.id && list.json.items[1].id == made.id)
      #expect(!list.response.text.contains(token))
      #expect(
        try await server.get("/users/me", token: token).expect(200).json.username.text == "ada")
      try await server.put("/users/ada/follow", token: try await server.signUp("bob")).expect(204)

      try await server.delete("/users/me/tokens/\(made.id.text ?? "")", token: ada).expect(204)
      try await server.delete("/users/me/tokens/\(made.id.text ?? "")", token: ada).expect(404)
      try await server.get("/users/me", token: token).expect(401)
      try await server.get("/memes", token: token).expect(401)
      #expect(try !server.log.contains(token))
    }
  }

  /// A character of several code points is one for the server, and several for the schemas of the contract, by which
  /// the test server checks its responses.
  @Test func `a name and a title of long characters are as the contract says`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let name = String(repeating: "e\u{301}", count: 100)
      try await Self.make(server, #"{"name":"\#(name)","scopes":["read"]}"#, token: ada).expect(201)
      let tokens = try await server.get("/users/me/tokens", token: ada).expect(200)
      #expect(tokens.json.items[0].name.text == name)
      let photo = try Fixture.photo.bytes
      try await server.post([.field("top", name + name), .file("image", photo)]).expect(201)
      let table = try await server.get("/memes?view=table").expect(200)
      #expect(table.json.items[0].title.text == name + name)
    }
  }

  @Test func `a user cannot see or delete the tokens of another user`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let made = try await Self.make(server, #"{"name":"x","scopes":["read"]}"#, token: ada)
        .expect(201).json
      try await server.delete("/users/me/tokens/\(made.id.text ?? "")", token: bob).expect(404)
      #expect(try await server.get("/users/me/tokens", token: bob).json.items[0] == .null)
      try await server.get("/users/me", token: made.token.text).expect(200)
    }
  }

  @Test(arguments: [
    (#"{}"#, ["name missing", "scopes missing"]),
    (#"{"name":"","scopes":[]}"#, ["name empty", "scopes not-allowed"]),
    (#"{"name":"a\nb","scopes":["all"]}"#, ["name not-allowed", "scopes not-allowed"]),
    (#"{"name":"x","scopes":"read"}"#, ["scopes not-an-array"]),
    (#"{"name":"x","scopes":["read",7]}"#, ["scopes not-allowed"]),
    (
      #"{"name":"x","scopes":["read"],"expiresAt":"2001-01-01T00:00:00Z"}"#,
      ["expiresAt out-of-range"]
    ),
    (#"{"name":"x","scopes":["read"],"until":1}"#, ["until unknown-field"]),
    (#"{"name":"x","scopes":["read"],"password":"not my password"}"#, ["password wrong-password"]),
  ])
  func `invalid fields are listed`(json: String, fields: [String]) async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await Self.make(server, json, token: ada).expect(422, fields: fields)
      #expect(try await server.get("/users/me/tokens", token: ada).json.items[0] == .null)
    }
  }

  @Test func `a sign-in of ten minutes ago needs the password, and a linked app with a cookie too`()
    async throws
  {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let origin = [("Origin", "http://127.0.0.1:\(server.port)")]
      let cookie = try #require(
        try await server.signIn("ada", cookie: true, headers: origin).expect(201)["set-cookie"])
      let browser = origin + [("Cookie", String(cookie.prefix { $0 != ";" }))]
      let wish = #"{"name":"x","scopes":["read"]}"#
      try await Self.make(server, wish, token: nil, headers: browser).expect(201)
      try await server.json("POST", "/auth/bot", "{}", headers: browser)
        .expect(422, fields: ["password missing"])
      let linked = try await server.json(
        "POST", "/auth/bot", "{\(Self.password)}", headers: browser
      ).expect(201).json
      #expect(linked.name.text == "bot" && linked.scopes[1].text == "write")
      #expect(linked.scopes[2] == .null)
      try await server.json("POST", "/auth/other%20bot", "{}", token: ada).expect(201)
      try await server.json("POST", "/auth/%0A", "{}", token: ada).expect(404)

      clock.advance(10 * Self.minute)
      try await Self.make(server, wish, token: ada).expect(422, fields: ["password missing"])
      try await server.json("POST", "/auth/bot", "{}", token: ada)
        .expect(422, fields: ["password missing"])
      try await Self.make(
        server, #"{"name":"x","scopes":["read"],\#(Self.password)}"#, token: ada
      ).expect(201)
    }
  }

  @Test func `a sign-in is not recent after the clock was set back`() async throws {
    let clock = HeldClock()
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let wish = #"{"name":"x","scopes":["read"]}"#
      try await Self.make(server, wish, token: ada).expect(201)
      clock.advance(-Self.minute)
      try await Self.make(server, wish, token: ada).expect(422, fields: ["password missing"])
    }
  }

  @Test func `a scope that a token lacks gets a 403 with a challenge`() async throws {
    try await withServer { server in
      let ada = try await server.signUpAdmin("ada")
      let read = try await server.makeToken(["read"], token: ada)
      let answer = try await server.put("/users/me/settings", token: read)
      answer.expect(403, problem: "insufficient-scope")
      #expect(
        answer["www-authenticate"]
          == #"Bearer realm="mememe", error="insufficient_scope", scope="write""#)
      try await server.delete("/memes/01234567-89ab-7def-8123-456789abcdef", token: read)
        .expect(403, problem: "insufficient-scope")
      let write = try await server.makeToken(["read", "write"], token: ada)
      try await server.get("/admin/stats", token: write).expect(403, problem: "insufficient-scope")
      try await server.get("/sessions", token: write).expect(403, problem: "forbidden")
    }
  }

  @Test func `only admins make tokens with the scope admin, and a former admin's has no rights`()
    async throws
  {
    try await withServer { server in
      let (bob, ada) = (try await server.signUp("bob"), try await server.signUpAdmin("ada"))
      try await Self.make(server, #"{"name":"x","scopes":["admin"]}"#, token: bob)
        .expect(403, problem: "forbidden")
      let token = try await server.makeToken(["admin"], token: ada)
      let meme = try await server.make("private", token: bob)
      try await server.get(meme, token: token).expect(200)
      try await server.get("/admin/stats", token: token).expect(200)
      try await server.send(
        "POST", "/admin/backups", headers: [("Authorization", "Bearer \(token)")]
      ).expect(202)
      // A token without the scope is like one of a member, although its user is an admin.
      let plain = try await server.makeToken(["write"], token: ada)
      try await server.get(meme, token: plain).expect(404)

      try await server.give("member", to: "ada")
      try await server.get("/admin/stats", token: token).expect(403, problem: "forbidden")
      try await server.get(meme, token: token).expect(404)
      try await server.get("/users/me", token: token).expect(200)
    }
  }

  @Test func `an expired token is invalid and makes room`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let end = Timestamp(
        millisecondsSince1970: clock.now().millisecondsSince1970 + Self.minute)
      let wish = #"{"name":"x","scopes":["read"],"expiresAt":"\#(end)"}"#
      let made = try await Self.make(server, wish, token: ada).expect(201).json
      #expect(made.expiresAt.text == end.description)
      for _ in 2...AccessToken.maximumCount {
        try await Self.make(server, wish, token: ada).expect(201)
      }
      try await Self.make(server, wish, token: ada).expect(409, problem: "too-many-tokens")
      clock.advance(Self.minute - 1)
      try await server.get("/users/me", token: made.token.text).expect(200)
      clock.advance(1)
      try await server.get("/users/me", token: made.token.text).expect(401)
      #expect(try await server.get("/users/me/tokens", token: ada).json.items[0] == .null)
      _ = try await server.makeToken(["read"], token: ada)
    }
  }

  @Test func `signing out everywhere ends tokens unless they are kept, and a sign-out does not`()
    async throws
  {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let token = try await server.makeToken(["read"], token: ada)
      try await server.delete("/sessions/current", token: ada).expect(204)
      try await server.get("/users/me", token: token).expect(200)
      let second = try await server.token("ada")
      try await server.delete("/sessions?keepTokens=yes", token: second).expect(422)
      try await server.delete("/sessions?keepTokens=true", token: second).expect(204)
      try await server.get("/users/me", token: second).expect(401)
      try await server.get("/users/me", token: token).expect(200)
      try await server.delete("/sessions", token: try await server.token("ada")).expect(204)
      try await server.get("/users/me", token: token).expect(401)
    }
  }

  @Test func `a password reset ends tokens, and a password change keeps them`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let token = try await server.makeToken(["write"], token: ada)
      try await server.json(
        "PUT", "/users/me/password",
        #"{"current":"\#(TestServer.password)","new":"two cats on a keyboard"}"#, token: ada
      ).expect(204)
      try await server.get("/users/me", token: token).expect(200)
      // The first mail reports the change.
      let reset = try await server.resetToken(for: "ada@example.org", mails: 1)
      try await server.json(
        "PUT", "/password-resets/\(reset)", #"{"password":"no cat on a keyboard"}"#
      ).expect(204)
      try await server.get("/users/me", token: token).expect(401)
    }
  }

  @Test func `a suspension disables tokens, also for what a suspended session may do`() async throws
  {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let token = try await server.makeToken(["write"], token: ada)
      try await server.suspend("ada").expect(204)
      for path in ["/users/me", "/memes"] {
        try await server.get(path, token: token).expect(403, problem: "suspended")
      }
      try await server.json("POST", "/users/me/export", "{}", token: token)
        .expect(403, problem: "suspended")
      try await Self.make(server, #"{"name":"x","scopes":["read"]}"#, token: ada)
        .expect(403, problem: "suspended")
      try await server.delete("/admin/users/ada/suspension", token: server.adminToken).expect(204)
      try await server.get("/users/me", token: token).expect(200)
    }
  }

  @Test func `the last use is recorded, at most once a minute`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let token = try await server.makeToken(["read"], token: ada)
      func lastUse() async throws -> String? {
        try await server.get("/users/me/tokens", token: ada).json.items[0].lastUsedAt.text
      }
      #expect(try await lastUse() == nil)
      let first = clock.now().description
      try await server.get("/memes", token: token).expect(200)
      try await eventually("the first use is recorded") { try await lastUse() == first }
      clock.advance(Self.minute - 1)
      try await server.get("/memes", token: token).expect(200)
      clock.advance(1)
      let second = clock.now().description
      try await server.get("/memes", token: token).expect(200)
      try await eventually("a use after a minute is recorded") {
        let last = try await lastUse()
        #expect(last == first || last == second)
        return last == second
      }
    }
  }

  @Test func `a longer random value in a URL is not refused as a token`() async throws {
    try await withServer { server in
      let secret = String(repeating: "a", count: 32)
      for value in ["mm_\(secret)a", "xmm_\(secret)", "4%2F0-mm_\(secret)-mm_\(secret)"] {
        try await server.get("/memes?q=\(value)").expect(200)
      }
    }
  }

  @Test func `a token in a URL is refused, and no log has it`() async throws {
    try await withLiveServer { server in
      let token = try await server.makeToken(["read"], token: try await server.signUp("ada"))
      let hidden = token.replacing("mm_", with: "%6Dm%5F")
      for target in [
        "/memes?access_token=\(token)", "/memes?q=\(token)", "/?utm=\(token)",
        "/memes?\(token)=1", "/memes?q=\(hidden)", "/m/x?x=Bearer%20\(token)",
        // An invalid encoding does not hide it from the log.
        "/memes/%zz/\(hidden)",
      ] {
        try await server.get(target).expect(400, problem: "malformed-request", lacking: [token])
      }
      try await server.get("/users/\(token)").expect(404, lacking: [token])
      try await server.get("/\(hidden)/x").expect(404, lacking: [token])
      try await server.get("/users/me", token: token).expect(200)
      let secret = String(token.dropFirst(3))
      try await eventually("the requests are logged") {
        try server.log.contains("/users/me ") || server.log.contains("/users/me\"")
      }
      #expect(try !server.log.contains(secret))
    }
  }
}

extension HeldClock {
  func advance(_ milliseconds: Int64) {
    set(now().millisecondsSince1970 + milliseconds)
  }
}
