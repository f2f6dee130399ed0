import Support
import Testing
import Wire

struct SessionTests {
  private static let day: Int64 = 86_400_000

  @Test func `two devices can be signed out separately`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      let phone = try #require(
        try await server.signIn("ada", headers: [("User-Agent", "phone/1")]).expect(201).json.token
          .text)
      let laptop = try #require(
        try await server.signIn("ada", headers: [("User-Agent", "laptop/1")]).expect(201).json.token
          .text)
      #expect(phone != laptop)
      let all = try await server.get("/sessions", token: phone).expect(200).json.items.elements
      #expect(Set(all.compactMap(\.userAgent.text)) == ["phone/1", "laptop/1"])
      #expect(all.filter { $0.current.flag == true }.compactMap(\.userAgent.text) == ["phone/1"])
      let other = try #require(all.first { $0.current.flag == false }?.id.text)

      try await server.delete("/sessions/\(other)", token: phone).expect(204)
      try await server.get("/users/me", token: laptop).expect(401, problem: "unauthorized")
      try await server.get("/memes", token: laptop).expect(401, problem: "unauthorized")
      try await server.delete("/sessions/\(other)", token: phone).expect(404, problem: "not-found")
      try await server.get("/users/me", token: phone).expect(200)

      try await server.delete("/sessions/current", token: phone).expect(204)
      try await server.get("/users/me", token: phone).expect(401, problem: "unauthorized")
    }
  }

  @Test func `a null cookie member means no cookie`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      let body = #"{"username":"ada","password":"\#(TestServer.password)","cookie":null}"#
      let answer = try await server.json("POST", "/sessions", body).expect(201)
      #expect(answer.json.token.text != nil && answer["set-cookie"] == nil)
    }
  }

  @Test func `all of a person's sessions end at once, those of others stay`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let second = try await server.token("ada")
      let sessions = try await server.get("/sessions", token: bob).json.items
      let bobs = try #require(sessions[0].id.text)
      try await server.delete("/sessions/\(bobs)", token: ada).expect(404, problem: "not-found")
      try await server.delete("/sessions/nonsense", token: ada).expect(404, problem: "not-found")
      try await server.delete("/sessions", token: ada).expect(204)
      for token in [ada, second] { try await server.get("/users/me", token: token).expect(401) }
      #expect(try await server.get("/users/me", token: bob).expect(200).json.username.text == "bob")
    }
  }

  @Test func `a failed sign-in does not reveal whether an account exists`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      var details: Set<String?> = []
      for name in ["ada", "bob", "bob@example.org", "", "not a name", "ada@example.org"] {
        let answer = try await server.signIn(name, password: "a wrong password")
          .expect(401, problem: "wrong-credentials")
        #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true)
        details.insert(answer.json.detail.text)
      }
      #expect(details.count == 1)
      try await server.json("POST", "/sessions", #"{"cookie":"yes"}"#).expect(
        422, problem: "invalid-input",
        fields: ["username missing", "password missing", "cookie not-a-flag"])
    }
  }

  @Test func `account calls require an account`() async throws {
    try await withServer { server in
      for target in ["/users/me", "/sessions"] {
        try await server.get(target).expect(401, problem: "unauthorized")
        try await server.get(target, token: "x").expect(401, problem: "unauthorized")
        try await server.get(target, token: server.adminToken).expect(403, problem: "forbidden")
      }
    }
  }

  @Test func `an unused session expires after 30 days, a used one continues`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      try await server.register("ada").expect(201)
      let (used, unused) = (try await server.token("ada"), try await server.token("ada"))
      clock.set(29 * Self.day)
      try await server.get("/users/me", token: used).expect(200)
      clock.set(30 * Self.day - 1)
      #expect(try await server.get("/sessions", token: used).json.items.elements.count == 2)
      clock.set(30 * Self.day)
      try await server.get("/users/me", token: unused).expect(401, problem: "unauthorized")
      let left = try await server.get("/sessions", token: used).expect(200).json.items
      #expect(left.elements.count == 1)
    }
  }

  @Test func `a session ends after a year at the latest`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let token = try await server.signUp("ada")
      for day in stride(from: Int64(20), to: 365, by: 20) {
        clock.set(day * Self.day)
        try await server.get("/users/me", token: token).expect(200)
      }
      clock.set(365 * Self.day - 1)
      let session = try await server.get("/sessions", token: token).expect(200).json.items[0]
      #expect(session.expiresAt.text == "1971-01-01T00:00:00.000Z")
      clock.set(365 * Self.day)
      try await server.get("/users/me", token: token).expect(401, problem: "unauthorized")
    }
  }

  @Test func `the last use of a session is recorded once an hour`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let token = try await server.signUp("ada")
      func lastUsed() async throws -> String? {
        try await server.get("/sessions", token: token).json.items[0].lastUsedAt.text
      }
      clock.set(3_599_999)
      #expect(try await lastUsed() == "1970-01-01T00:00:00.000Z")
      clock.set(3_600_000)
      #expect(try await lastUsed() == "1970-01-01T01:00:00.000Z")
      clock.set(7_199_999)
      #expect(try await lastUsed() == "1970-01-01T01:00:00.000Z")
    }
  }

  @Test func `a signed-in person can mail memes`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      try await server.json(
        "POST", "\(url)/shares", #"{"channel":"email","to":"bob@example.org"}"#, token: token
      ).expect(204)
    }
  }

  /// Starts to send a change of the bio, runs `meantime`, and then sends the rest.
  private func changing(
    _ server: TestServer, by token: String, while meantime: () async throws -> Void
  ) async throws -> Answer {
    let body = #"{"bio":"x"}"#
    let client = try server.connect()
    await client.send(
      """
      PATCH /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n{
      """)
    try await meantime()
    try await Task.sleep(for: .seconds(1.1))
    await client.send(String(body.dropFirst()))
    return Answer(try await client.response())
  }

  @Test func `a request begun before sign-out or suspension is rejected`() async throws {
    try await withLiveServer { server in
      let (ada, kept) = (try await server.signUp("ada"), try await server.token("ada"))
      try await changing(server, by: ada) {
        try await server.delete("/sessions/current", token: ada).expect(204)
      }.expect(401, problem: "unauthorized")
      try await changing(server, by: kept) { try await server.suspend("ada").expect(204) }
        .expect(403, problem: "suspended")
      try await server.delete("/admin/users/ada/suspension", token: server.adminToken).expect(204)
      #expect(try await server.get("/users/me", token: kept).json.bio == .null)
      try await changing(server, by: kept) {}.expect(200)
      #expect(try await server.get("/users/me", token: kept).json.bio.text == "x")
    }
  }
}
