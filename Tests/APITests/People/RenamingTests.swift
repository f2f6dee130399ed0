import HTTP
import Memes
import Support
import Testing
import Wire

struct RenamingTests {
  private func rename(_ server: TestServer, _ token: String, _ name: String) async throws -> Answer
  {
    try await server.json("PATCH", "/users/me", #"{"username":"\#(name)"}"#, token: token)
  }

  @Test func `a new username applies everywhere at once`() async throws {
    let clock = HeldClock()
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      #expect(try await server.get("/users/me", token: ada).json.usernameChangedAt == .null)
      let meme = try await server.make(token: ada)
      let start = try await server.changes(token: ada)
      // In the response cache.
      try await server.get("/users/ada/memes").expect(200)
      try await server.get(meme).expect(200)

      let renamed = try await rename(server, ada, "Lovelace").expect(200).json
      #expect(renamed.username.text == "lovelace")
      #expect(renamed.usernameChangedAt.text == clock.now().description)
      #expect(try await server.get(meme).expect(200).json.author.username.text == "lovelace")
      #expect(
        try await server.get("/users/lovelace/memes").expect(200).json.items.elements.count == 1)
      #expect(
        try await server.changes(since: start.cursor, token: ada).changes == ["upsert \(meme) 1"])
      try await server.signIn("ada").expect(401, problem: "wrong-credentials")
      try await server.signIn("lovelace").expect(201)
      try await server.register("ada").expect(409, problem: "username-taken")
      try await rename(server, ada, "byron").expect(409, problem: "renamed-recently")
    }
  }

  @Test func `a former username redirects those who may see the person, for 30 days`() async throws
  {
    let clock = HeldClock()
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now) { server in
      let (ada, bob, eve) = (
        try await server.signUp("ada"), try await server.signUp("bob"),
        try await server.signUp("eve")
      )
      try await server.put("/users/eve/block", token: ada).expect(204)
      try await server.json("POST", "/users/ada/reports", #"{"reason":"spam"}"#, token: eve)
        .expect(404)
      try await server.json("POST", "/users/ada/reports", #"{"reason":"rude"}"#, token: bob)
        .expect(201)
      try await rename(server, ada, "lovelace").expect(200)
      let targets = [
        "/users/ADA", "/users/ada/memes?limit=1&view=grid", "/users/ada/avatar?size=64",
        "/users/ada/followers", "/users/ada/following",
      ]
      for target in targets {
        for token in [nil, bob, ada] {
          let answer = try await server.get(target, token: token).expect(308)
          let wanted = target.replacing("ADA", with: "lovelace").replacing("ada", with: "lovelace")
          #expect(answer["location"] == wanted)
          #expect(answer["cache-control"] == "no-store" && answer.response.body.isEmpty)
          #expect(answer["cross-origin-resource-policy"] == "cross-origin")
        }
        try await server.get(target, token: eve).expect(404, problem: "not-found")
      }
      for method in ["PUT", "DELETE"] {
        for act in ["follow", "block"] {
          let answer = try await server.send(
            method, "/users/ada/\(act)", headers: [("Authorization", "Bearer \(bob)")])
          #expect(answer.expect(308)["location"] == "/users/lovelace/\(act)")
        }
      }
      let report = try await server.json(
        "POST", "/users/ada/reports", #"{"reason":"spam"}"#, token: bob)
      #expect(report.expect(308)["location"] == "/users/lovelace/reports")
      let reports = try await server.get("/admin/reports", token: server.adminToken).expect(200)
      #expect(reports.json.items[0].subject.username.text == "lovelace")
      #expect(try await server.get("/users/lovelace", token: bob).json.viewer.follows.flag == false)
      let account = try await server.get("/admin/users/ada", token: server.adminToken)
      #expect(account.expect(308)["location"] == "/admin/users/lovelace")
      // A redirect is only for a name, not for something else that is missing.
      try await server.get("/users/ada/nothing").expect(404)
      try await server.get("/users/lovelace/avatar?v=x").expect(410)

      clock.set(1_800_000_000_000 + 30 * 86_400_000)
      for target in targets { try await server.get(target).expect(404, problem: "not-found") }
      try await server.json(
        "POST", "/users",
        #"{"username":"ada","email":"new@example.org","password":"a cat on a keyboard"}"#
      ).expect(201)
      try await server.get("/users/ada").expect(200)
    }
  }

  @Test func `an invalid username changes nothing`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      _ = try await server.signUp("bob")
      for (name, code) in [
        ("ad", "invalid-username"), ("ada é", "invalid-username"), ("admin", "reserved"),
      ] {
        try await rename(server, ada, name)
          .expect(422, problem: "invalid-input", fields: ["username \(code)"])
      }
      try await server.json("PATCH", "/users/me", #"{"username":null,"bio":"x"}"#, token: ada)
        .expect(422, fields: ["username missing"])
      try await rename(server, ada, "bob").expect(409, problem: "username-taken")
      try await rename(server, ada, "ada").expect(200)
      let user = try await server.get("/users/me", token: ada).json
      #expect(user.username.text == "ada" && user.usernameChangedAt == .null && user.bio == .null)
    }
  }
}
