import Foundation
import HTTP
import Support
import Synchronization
import Testing
import Wire
import mememe

/// Storage quotas.
struct QuotaTests {
  private static func publish(
    _ server: TestServer, token: String? = nil, from network: String = "192.0.2.7"
  ) async throws -> Answer {
    try await server.post(
      [.file("image", try Fixture.photo.bytes), .field("top", "a")], token: token,
      headers: [("X-Forwarded-For", network)])
  }

  /// Publishes memes until the server rejects one.
  ///
  /// - Returns: The memes and the rejection.
  private static func fill(
    _ server: TestServer, token: String? = nil, from network: String = "192.0.2.7"
  ) async throws -> (memes: [JSON], refusal: Answer) {
    var memes: [JSON] = []
    while memes.count < 20 {
      let answer = try await publish(server, token: token, from: network)
      guard answer.response.status == 201 else { return (memes, answer) }
      memes.append(answer.json)
    }
    Issue.record("everything is taken")
    throw CancellationError()
  }

  private static func behindProxy(_ settings: inout Settings) {
    settings.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
    settings.freeNetworks = [AddressRange("198.51.100.0/24")].compactMap { $0 }
  }

  @Test func `an account has a quota, and beyond it keeps access to what it has`() async throws {
    let quota = 700_000
    try await withServer({
      $0.quotaBytes = quota
      $0.trashDays = 0
    }) { server in
      let token = try await server.signUp("ada")
      let empty = try await server.get("/users/me/usage", token: token).expect(200)
      #expect(empty.json.bytes.used.int == 0 && empty.json.bytes.left.int == quota)
      #expect(empty.json.templates.limit.int == 100)
      #expect(empty["cache-control"] == "no-store")

      let (memes, refusal) = try await Self.fill(server, token: token)
      refusal.expect(507, problem: "quota-exceeded")
      let used = try await server.get("/users/me/usage", token: token).json.bytes.used.int ?? 0
      #expect(memes.count > 1 && used > 0 && used <= quota)
      #expect(refusal.json.quota.of.text == "account")
      #expect(refusal.json.quota.used.int == used && refusal.json.quota.left.int == quota - used)
      var statuses: Set<Int> = []
      for _ in 0..<5 {
        let upload = try await server.sendAhead(try Fixture.photo.bytes, token: token)
        let template = try await server.keepTemplate(token: token)
        statuses.formUnion([upload.response.status, template.response.status])
      }
      #expect(statuses.isSubset(of: [201, 507]) && statuses.contains(507))

      let url = "/memes/\(try #require(memes.first?.id.text))"
      try await server.patch(url, #"{"top":"other words"}"#, token: token).expect(200)
      try await server.patch(url, #"{"visibility":"private"}"#, token: token).expect(200)
      try await server.patch(url, #"{"format":"png"}"#, token: token).expect(
        507, problem: "quota-exceeded")
      try await server.send(
        "POST", "/users/me/export", headers: [("Authorization", "Bearer \(token)")]
      ).expect(200)
      try await server.get(url, token: token).expect(200)
      // Other callers have their own quotas.
      try await Self.publish(server, token: try await server.signUp("grace")).expect(201)
      try await Self.publish(server).expect(201)

      // The trash is disabled, so the deletion frees the bytes.
      try await server.delete(url, token: token).expect(204)
      try await Self.publish(server, token: token).expect(201)
      let all = try await server.get("/admin/usage", token: server.adminToken).expect(200).json
      #expect(all.accounts.limitOfEach.int == quota)
      #expect(all.accounts.largest.elements.map(\.username.text) == ["ada", "grace"])
      #expect(
        all.accounts.used.int == all.accounts.largest.elements.reduce(0) { $0 + ($1.used.int ?? 0) }
      )
      let metrics = try await server.metrics()
      #expect(
        metrics.value("mememe_stored_bytes", ["owner": "accounts"])
          == all.accounts.used.int.map(Double.init))
      #expect(
        metrics.value("mememe_stored_bytes", ["owner": "none"])
          == all.anonymous.used.int.map(Double.init))
    }
  }

  @Test func `concurrent uploads do not exceed a quota`() async throws {
    let quota = 500_000
    try await withServer({ $0.quotaBytes = quota }) { server in
      let token = try await server.signUp("ada")
      let codes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<12 {
          group.addTask { try await Self.publish(server, token: token).response.status }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(Set(codes) == [201, 507])
      let used = try await server.get("/users/me/usage", token: token).json.bytes.used.int ?? 0
      #expect(used <= quota)
    }
  }

  @Test func `claimed memes and started uploads count toward the account's quota`() async throws {
    let quota = 300_000
    try await withServer({ $0.quotaBytes = quota }) { server in
      let ada = try await server.signUp("ada")
      var statuses: [Int] = []
      for _ in 0..<6 {
        let made = try await Self.publish(server).expect(201).json
        let (id, token) = (made.id.text ?? "", made.deleteToken.text ?? "")
        let claim = try await server.json(
          "POST", "/memes/\(id)/claim", #"{"deleteToken":"\#(token)"}"#, token: ada)
        statuses.append(claim.status)
      }
      #expect(Set(statuses) == [200, 507])
      let used = try await server.get("/users/me/usage", token: ada).json.bytes.used.int ?? 0
      #expect(used <= quota)
      // Two uploads begin, although there is room for only one of them.
      let length = (quota - used) * 2 / 3
      let headers = [("Authorization", "Bearer \(ada)"), ("Tus-Resumable", "1.0.0")]
      var places: [String] = []
      for _ in 0..<2 {
        let begun = try await server.send(
          "POST", "/uploads", headers: headers + [("Upload-Length", "\(length)")])
        places.append(try #require(begun.expect(201)["location"]))
      }
      let piece = [UInt8](repeating: 7, count: length - 1)
      var pieces: [Int] = []
      for place in places {
        let answer = try await server.send(
          "PATCH", place,
          headers: headers + [
            ("Upload-Offset", "0"), ("Content-Type", "application/offset+octet-stream"),
          ], body: piece)
        pieces.append(answer.status)
      }
      #expect(pieces == [204, 507])
    }
  }

  @Test func `anonymous memes share a separate quota`() async throws {
    let quota = 700_000
    try await withServer({ $0.anonymousBytes = quota }) { server in
      let (memes, refusal) = try await Self.fill(server)
      refusal.expect(507, problem: "quota-exceeded")
      #expect(refusal.json.quota.of.text == "anonymous")
      let ada = try await server.signUp("ada")
      try await Self.publish(server, token: ada).expect(201)
      // A claimed meme counts for its new owner.
      let (id, token) = (memes.first?.id.text ?? "", memes.first?.deleteToken.text ?? "")
      try await server.json(
        "POST", "/memes/\(id)/claim", #"{"deleteToken":"\#(token)"}"#, token: ada
      ).expect(200)
      try await Self.publish(server).expect(201)
      let usage = try await server.get("/admin/usage", token: server.adminToken).expect(200).json
      #expect(usage.anonymous.limit.int == quota && usage.anonymous.used.int ?? 0 <= quota)
    }
  }

  @Test func `anonymous uploads of a network are limited per day`() async throws {
    let clock = HeldTicks()
    try await withServer(
      ticks: { clock.now },
      {
        Self.behindProxy(&$0)
        $0.limitsRates = true
        $0.anonymousDayBytes = 700_000
      }
    ) { server in
      let (_, refusal) = try await Self.fill(server)
      refusal.expect(507, problem: "quota-exceeded")
      #expect(refusal.json.quota.of.text == "network")
      let seconds = try #require(refusal["retry-after"].flatMap(Int.init))
      #expect((1...86_400).contains(seconds))
      // Another network, an exempt network and an account are not affected.
      try await Self.publish(server, from: "192.0.2.8").expect(201)
      for _ in 0..<6 { try await Self.publish(server, from: "198.51.100.7").expect(201) }
      try await Self.publish(server, token: try await server.signUp("ada")).expect(201)
      // Failed uploads do not count.
      try await server.post(
        [.file("image", Array("none".utf8))], headers: [("X-Forwarded-For", "192.0.2.7")]
      ).expect(415)
      clock.advance(by: .seconds(seconds))
      try await Self.publish(server).expect(201)
      try await Self.publish(server).expect(507, problem: "quota-exceeded")
    }
  }

  @Test func `anonymous templates can be disabled`() async throws {
    try await withServer({ $0.anonymousTemplates = false }) { server in
      try await server.keepTemplate().expect(401, problem: "unauthorized")
      try await server.keepTemplate(token: try await server.signUp("ada")).expect(201)
      try await server.keepTemplate(token: server.adminToken).expect(201)
    }
  }

  @Test func `admins can delete all anonymous templates`() async throws {
    try await withServer { server in
      let (ada, admin) = (try await server.signUp("ada"), server.adminToken)
      let hers = try await server.keepTemplate(token: ada).expect(201).json.id.text
      let first = try await server.keepTemplate().expect(201)
      try await server.keepTemplate().expect(201)
      try await server.delete("/templates?anonymous=true", token: ada).expect(403)
      try await server.delete("/templates", token: admin).expect(422, problem: "invalid-input")
      let trial = try await server.delete("/templates?anonymous=true&dryRun=true", token: admin)
      #expect(trial.expect(200).json.count.int == 2)
      let deletion = try await server.delete("/templates?anonymous=true", token: admin)
      #expect(deletion.expect(200).json.count.int == 2)
      let rest = try await server.get("/templates").expect(200).json.items.elements
      #expect(rest.map(\.id.text) == [hers])
      try await server.get(first["location"] ?? "").expect(410)
      let act = try await server.get("/admin/audit", token: admin).json.items[0]
      #expect(act.act.text == "delete-templates" && act.details.count.int == 2)
      let usage = try await server.get("/admin/usage", token: admin).json
      #expect(usage.anonymous.used.int == 0)
    }
  }
}

/// A clock for rate limits that a test advances.
private final class HeldTicks: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  func advance(by time: Duration) { instant.withLock { $0 += time } }
}
