import HTTP
import Memes
import Support
import Testing
import mememe

struct GuessingTests {
  private let home = "203.0.113.7"
  private let elsewhere = "198.51.100.9"
  private let burst = Limit.wrongPassword.rate.burst

  private static func behindProxy(_ settings: inout Settings) {
    settings.limitsRates = true
    settings.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
  }

  private func signIn(
    _ server: TestServer, _ name: String, _ password: String = TestServer.password,
    from client: String
  ) async throws -> Answer {
    try await server.signIn(name, password: password, headers: [("X-Forwarded-For", client)])
  }

  @Test func `password guesses are limited, but not for the owner`() async throws {
    try await withServer(Self.behindProxy) { server in
      let session = try await server.signUp("ada")
      for _ in 0..<burst {
        try await signIn(server, "ada", "a wrong password", from: elsewhere)
          .expect(401, problem: "wrong-credentials")
      }
      let refused = try await signIn(server, "ada", "a wrong password", from: elsewhere)
      refused.expect(429, problem: "too-many-requests")
      #expect(refused["ratelimit-policy"] == "\"wrong-password\";q=10;w=3600")
      // Otherwise the response would reveal which guess is right.
      try await signIn(server, "ada", from: elsewhere).expect(429)
      #expect(
        try await server.metrics().value(
          "mememe_requests_throttled_total", ["limit": "wrong-password"]) == 2)

      try await signIn(server, "ada", from: home).expect(201)
      try await server.get("/users/me", token: session).expect(200)
      // Other accounts in the guesser's network are not limited either.
      try await server.register("bob").expect(201)
      try await signIn(server, "bob", from: elsewhere).expect(201)
    }
  }

  @Test func `guesses at an unknown account are limited alike`() async throws {
    try await withServer(Self.behindProxy) { server in
      for _ in 0..<burst {
        try await signIn(server, "nobody", from: elsewhere).expect(401)
      }
      try await signIn(server, "Nobody", from: elsewhere).expect(429, problem: "too-many-requests")
    }
  }

  @Test func `correct passwords do not count as guesses`() async throws {
    try await withServer(Self.behindProxy) { server in
      try await server.register("ada").expect(201)
      for _ in 0..<burst + 2 { try await signIn(server, "ada", from: home).expect(201) }
      for _ in 0..<burst - 1 {
        try await signIn(server, "ada", "a wrong password", from: home).expect(401)
      }
      try await signIn(server, "ada", from: home).expect(201)
    }
  }

  @Test func `concurrent guesses are all counted`() async throws {
    try await withServer(Self.behindProxy) { server in
      try await server.register("ada").expect(201)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<burst + 10 {
          group.addTask {
            try await signIn(server, "ada", "a wrong password", from: elsewhere).status
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 401 } == burst)
      #expect(statuses.count { $0 == 429 } == 10)
    }
  }

  @Test func `guesses with an open session are limited too`() async throws {
    try await withServer(Self.behindProxy) { server in
      let session = try await server.signUp("ada")
      func leave(_ password: String, from client: String) async throws -> Answer {
        try await server.json(
          "DELETE", "/users/me", "{\"password\":\"\(password)\"}", token: session,
          headers: [("X-Forwarded-For", client)])
      }
      for _ in 0..<burst {
        try await leave("a wrong password", from: elsewhere).expect(422, problem: "invalid-input")
      }
      try await leave("a wrong password", from: elsewhere).expect(429, problem: "too-many-requests")
      try await leave(TestServer.password, from: elsewhere).expect(429)
      try await leave(TestServer.password, from: home).expect(204)
    }
  }
}
