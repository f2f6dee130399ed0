import Foundation
import Support
import Testing
import Wire
import mememe

struct AccountAdministrationTests {
  private func names(_ answer: Answer) -> [String] {
    answer.json.items.elements.compactMap(\.username.text)
  }

  @Test func `admins list, search and filter accounts`() async throws {
    try await withServer { server in
      for name in ["ada", "grace", "ad_lib", "eve"] { _ = try await server.signUp(name) }
      try await server.give("admin", to: "grace")
      try await server.suspend("eve").expect(204)
      func list(_ query: String) async throws -> [String] {
        names(try await server.get("/admin/users\(query)", token: server.adminToken).expect(200))
      }
      #expect(try await list("") == ["eve", "ad_lib", "grace", "ada"])
      #expect(try await list("?q=AD") == ["ad_lib", "ada"])
      // These characters have no other meaning than themselves.
      #expect(try await list("?q=_") == ["ad_lib"])
      #expect(try await list("?q=%25") == [])
      #expect(try await list("?q=!") == [])
      #expect(try await list("?q=eve%40example") == ["eve"])
      #expect(try await list("?status=suspended") == ["eve"])
      #expect(try await list("?status=active&role=member") == ["ad_lib", "ada"])
      #expect(try await list("?role=admin") == ["grace"])
      for query in [
        "?status=x", "?role=king", "?q=\(String(repeating: "a", count: 255))",
      ] {
        try await server.get("/admin/users\(query)", token: server.adminToken)
          .expect(422, problem: "invalid-input")
      }
      let first = try await server.get("/admin/users?q=ad&limit=1", token: server.adminToken)
        .expect(200)
      #expect(names(first) == ["ad_lib"])
      let next = try #require(
        first["link"]?.split(separator: ">").first.map { String($0.dropFirst()) })
      let second = try await server.get(next, token: server.adminToken).expect(200)
      #expect(names(second) == ["ada"] && second.json.nextCursor == .null)
    }
  }

  @Test func `an account shows what it stores, and its suspension`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      _ = try await server.make(token: ada)
      let fresh = try await server.get("/admin/users/ada", token: server.adminToken).expect(200)
      #expect(fresh["cache-control"] == "no-store")
      #expect(fresh.json.email.text == "ada@example.org" && fresh.json.suspendedAt == .null)
      #expect((fresh.json.storedBytes.int ?? 0) > 1000)
      try await server.suspend("ada").expect(204)
      let suspended = try await server.get("/admin/users/ada", token: server.adminToken)
      #expect(suspended.expect(200).json.suspendedAt.text != nil)
      try await server.get("/admin/users/zoe", token: server.adminToken)
        .expect(404, problem: "not-found")
    }
  }

  @Test func `a role applies to the next request, and no admin changes their own`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUpAdmin("ada"), try await server.signUp("eve"))
      func give(_ role: String, to name: String, by token: String) async throws -> Answer {
        try await server.json(
          "PATCH", "/admin/users/\(name)", #"{"role":"\#(role)"}"#, token: token)
      }
      try await server.get("/admin/stats", token: eve).expect(403)
      #expect(try await give("admin", to: "eve", by: ada).expect(200).json.role.text == "admin")
      try await server.get("/admin/stats", token: eve).expect(200)
      try await give("member", to: "ada", by: ada).expect(403, problem: "forbidden")
      try await server.delete("/admin/users/ada", token: ada).expect(403, problem: "forbidden")
      try await give("king", to: "eve", by: ada).expect(422, fields: ["role not-allowed"])
      try await give("member", to: "ada", by: eve).expect(200)
      try await server.get("/admin/stats", token: ada).expect(403)
      try await server.json("PATCH", "/admin/users/eve", "{}", token: server.adminToken)
        .expect(200)
      #expect(
        try await server.acts() == [
          "eve change-role ada", "ada change-role eve", "command change-role ada",
        ])
    }
  }

  @Test func `a deleted account leaves nothing, and its name is free`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUpAdmin("ada"), try await server.signUp("eve"))
      let (meme, other) = (try await server.make(token: eve), try await server.make(token: ada))
      try await server.put("\(other)/like", token: eve).expect(204)
      try await server.json("POST", "\(other)/comments", #"{"text":"words"}"#, token: eve)
        .expect(201)
      try await server.delete("/admin/users/eve", token: ada).expect(204)
      try await server.get("/users/me", token: eve).expect(401)
      try await server.get(meme, token: ada).expect(410)
      try await server.get("/users/eve").expect(404)
      let left = try await server.get(other, token: ada).expect(200).json
      #expect(left.counts.likes.int == 0 && left.counts.comments.int == 0)
      try await server.delete("/admin/users/eve", token: ada).expect(404, problem: "not-found")
      #expect(
        try await server.acts() == ["ada delete-person eve", "command change-role ada"])
      _ = try await server.signUp("eve")
    }
  }

  @Test func `a link for a new password is used once, replaces earlier ones and is in no log`()
    async throws
  {
    try await withDataFolder { folder in
      var tokens: [String] = []
      try await withServer(in: folder) { server in
        let eve = try await server.signUp("eve")
        for _ in 0..<2 {
          let answer = try await server.send(
            "POST", "/admin/users/eve/password-reset",
            headers: [("Authorization", "Bearer \(server.adminToken)"), ("Idempotency-Key", "k")]
          ).expect(201)
          #expect(answer["cache-control"] == "no-store")
          let url = try #require(answer.json.url.text)
          #expect(url.contains("/reset-password#"))
          tokens.append(try #require(url.split(separator: "#").last.map(String.init)))
        }
        #expect(tokens[0] != tokens[1])
        let new = #"{"password":"another long password"}"#
        try await server.json("PUT", "/password-resets/\(tokens[0])", new).expect(404)
        // The link alone changes nothing.
        try await server.get("/users/me", token: eve).expect(200)
        try await server.json("PUT", "/password-resets/\(tokens[1])", new).expect(204)
        try await server.get("/users/me", token: eve).expect(401)
        try await server.json("PUT", "/password-resets/\(tokens[1])", new).expect(404)
        try await server.json(
          "POST", "/sessions", #"{"username":"eve","password":"another long password"}"#
        ).expect(201)
        #expect(
          try await server.acts() == ["token reset-password eve", "token reset-password eve"])
      }
      let stored = try storedText(in: folder)
      for token in tokens { #expect(!stored.contains(token)) }
    }
  }
}
