import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

struct LimitTests {
  private static let limited: [(String, String, Limit)] = [
    ("POST", "/memes", .upload), ("POST", "/uploads", .upload),
    ("POST", "/memes/preview", .preview), ("POST", "/users", .registration),
    ("POST", "/sessions", .password),
    ("POST", "/memes/018f2c3e-0000-7000-8000-000000000000/shares", .share),
  ]

  private static func limited(_ settings: inout Settings) { settings.limitsRates = true }

  private static func behindProxy(_ settings: inout Settings) {
    settings.limitsRates = true
    settings.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
  }

  @Test(arguments: limited)
  func `a request over the limit is rejected with Retry-After, and counted`(
    _ method: String, _ target: String, _ limit: Limit
  ) async throws {
    try await withServer(Self.limited) { server in
      let (answer, passed) = try await server.exhaust(limit, method, target)
      answer.expect(429, problem: "too-many-requests")
      #expect(passed >= limit.rate.burst)
      let window = limit.rate.window.components.seconds
      let policy = "\"\(limit.rawValue)\";q=\(limit.rate.burst);w=\(window)"
      #expect(answer["ratelimit-policy"] == policy)
      #expect(answer["ratelimit"]?.hasPrefix("\"\(limit.rawValue)\";r=0;t=") == true)
      let wait = try #require(answer["retry-after"].flatMap { Int($0) })
      #expect((1...max(Int(limit.rate.interval.components.seconds), 1)).contains(wait))
      let metrics = try await server.metrics()
      let name = "mememe_requests_throttled_total"
      #expect(metrics.value(name, ["limit": limit.rawValue]) == 1)
      #expect(metrics.samples(name).map(\.value).reduce(0, +) == 1)
    }
  }

  @Test(
    arguments: [
      ("DELETE", "/memes/018f2c3e-0000-7000-8000-000000000000"),
      ("POST", "/memes/018f2c3e-0000-7000-8000-000000000000/restore"),
      ("DELETE", "/templates/018f2c3e-0000-7000-8000-000000000000"),
      ("DELETE", "/users/me/avatar"), ("DELETE", "/sessions/nonsense"),
      ("PUT", "/users/bob/follow"), ("DELETE", "/users/bob/follow"),
      ("PUT", "/users/bob/block"), ("DELETE", "/users/bob/block"),
    ])
  func `small changes share one limit`(
    _ method: String, _ target: String
  ) async throws {
    try await withServer(Self.limited) { server in
      let token = try await server.signUp("ada")
      try await server.register("bob").expect(201)
      let (answer, passed) = try await server.exhaust(.change, method, target, token: token)
      answer.expect(429, problem: "too-many-requests")
      #expect(passed >= 600)
      #expect(answer["ratelimit-policy"] == "\"change\";q=600;w=60")
      #expect(answer["retry-after"] == "1")
    }
  }

  @Test func `ending all sessions works even if the account's limit is used up`() async throws {
    try await withServer(Self.limited) { server in
      let (stolen, own) = (try await server.signUp("ada"), try await server.token("ada"))
      try await server.exhaust(.change, "DELETE", "/sessions/nonsense", token: stolen).answer
        .expect(429)
      try await server.send(
        "DELETE", "/sessions", headers: [("Authorization", "Bearer \(own)")]
      ).expect(204)
      try await server.get("/users/me", token: stolen).expect(401)
    }
  }

  @Test func `a request succeeds after the Retry-After time`() async throws {
    try await withServer(Self.limited) { server in
      let refused = try await server.exhaust(.upload, "POST", "/memes").answer.expect(429)
      let wait = try #require(refused["retry-after"].flatMap { Double($0) })
      try await Task.sleep(for: .seconds(wait))
      let made = try await server.upload().expect(201)
      #expect(made["ratelimit"]?.hasPrefix("\"upload\";r=") == true)
      #expect(
        made["ratelimit-policy"] == "\"upload\";q=120;w=60, \"render\";q=200;qu=\"megapixels\";w=10"
      )
      #expect(made["retry-after"] == nil)
    }
  }

  @Test func `a request over the limit is rejected before its body`() async throws {
    try await withLiveServer(Self.limited) { server in
      try await server.exhaust(.registration, "POST", "/users").answer.expect(429)
      let client = try server.connect()
      await client.send(
        """
        POST /users HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 60000\r
        Content-Type: application/json\r\n\r\n
        """)
      let answer = Answer(try await client.response())
      answer.expect(429, problem: "too-many-requests")
    }
  }

  @Test func `an account's limit applies in every network, and to no other caller`() async throws {
    try await withServer(Self.behindProxy) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (home, café) = ("203.0.113.7", "198.51.100.9")
      try await server.exhaust(.upload, "POST", "/memes", token: ada, from: home).answer.expect(429)
      let more = try await server.exhaust(.upload, "POST", "/uploads", token: ada, from: café)
      #expect(more.answer.status == 429 && more.passed < Limit.upload.rate.burst / 2)
      #expect(try await server.ask("POST", "/memes", token: bob, from: home).status == 415)
      #expect(try await server.ask("POST", "/memes", from: home).status == 415)
      #expect(
        try await server.ask("POST", "/memes/preview", token: ada, from: home).status == 415)

      try await server.exhaust(.upload, "POST", "/memes", from: café).answer.expect(429)
      #expect(try await server.ask("POST", "/memes", token: bob, from: café).status == 415)
      let admin = server.adminToken
      let answer = try await server.exhaust(.upload, "POST", "/memes", token: admin, from: café)
      #expect(answer.answer.status == 415 && answer.answer["ratelimit"] == nil)
    }
  }

  @Test(
    arguments: [
      ("203.0.113.7", "203.0.113.7:4711", "203.0.113.8"),
      ("203.0.113.7", "::ffff:203.0.113.7", "::ffff:203.0.113.8"),
      ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"),
      ("198.51.100.1, 203.0.113.7", "198.51.100.2, 203.0.113.7", "203.0.113.7, 198.51.100.1"),
      ("nonsense", String(repeating: "1.2.3.4;", count: 1000), "1.2.3.4"),
      (String(repeating: "127.0.0.1, ", count: 1000) + "203.0.113.7", "203.0.113.7", "203.0.113.8"),
    ])
  func `a network has one limit, separate from other networks`(
    _ first: String, same: String, other: String
  ) async throws {
    try await withServer(Self.behindProxy) { server in
      try await server.exhaust(.registration, "POST", "/users", from: first).answer.expect(429)
      try await server.ask("POST", "/users", from: same).expect(429)
      #expect(try await server.ask("POST", "/users", from: other).status == 415)
    }
  }

  @Test func `forwarded addresses count only from trusted proxies`() async throws {
    try await withServer(Self.limited) { server in
      var statuses: Set<Int> = []
      for client in 0...Limit.registration.rate.burst {
        statuses.insert(
          try await server.ask("POST", "/users", from: "203.0.113.\(client)").status)
      }
      #expect(statuses == [415, 429])
    }
  }

  @Test func `clients behind one proxy have separate idempotency keys`() async throws {
    try await withServer(Self.behindProxy) { server in
      func made(from client: String) async throws -> String {
        let headers = [("Idempotency-Key", "k-1"), ("X-Forwarded-For", client)]
        return try #require(try await server.upload(headers: headers).expect(201)["location"])
      }
      let first = try await made(from: "203.0.113.7")
      #expect(try await made(from: "198.51.100.1, 203.0.113.7") == first)
      #expect(try await made(from: "203.0.113.8") != first)
    }
  }

  @Test func `disabled limits reject nothing`() async throws {
    try await withServer { server in
      for _ in 0...Limit.registration.rate.burst {
        let answer = try await server.ask("POST", "/users").expect(415)
        #expect(answer["ratelimit"] == nil && answer["ratelimit-policy"] == nil)
      }
    }
  }
}
