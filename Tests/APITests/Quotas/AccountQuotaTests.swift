import Support
import Testing
import Wire
import mememe

/// Quotas that an admin gives to single accounts.
struct AccountQuotaTests {
  private func allow(
    _ quota: String, _ server: TestServer, token: String? = nil
  ) async throws -> Answer {
    try await server.json(
      "PATCH", "/admin/users/ada", #"{"quotaBytes":\#(quota)}"#, token: token ?? server.adminToken)
  }

  private func publish(_ server: TestServer, token: String) async throws -> Answer {
    try await server.post(
      [.file("image", try Fixture.photo.bytes), .field("top", "a")], token: token)
  }

  @Test(arguments: [nil, 1000])
  func `a quota replaces the limit of all accounts until it is taken back`(
    limit: Int?
  ) async throws {
    try await withServer({ $0.quotaBytes = limit }) { server in
      let ada = try await server.signUp("ada")
      let before = limit == nil ? 201 : 507
      try await publish(server, token: ada).expect(before)
      #expect(try await allow("100000000", server).expect(200).json.quotaBytes.int == 100_000_000)
      try await publish(server, token: ada).expect(201)
      let usage = try await server.get("/users/me/usage", token: ada).expect(200).json.bytes
      #expect(usage.limit.int == 100_000_000)

      // Less than is stored already: what is stored stays.
      try await allow("1", server).expect(200)
      let refusal = try await publish(server, token: ada).expect(507, problem: "quota-exceeded")
      #expect(refusal.json.quota.limit.int == 1 && refusal.json.quota.left.int == 0)
      try await server.sendAhead(try Fixture.photo.bytes, token: ada)
        .expect(507, problem: "quota-exceeded")
      #expect(try await server.get("/memes?author=ada").json.items.elements.isEmpty == false)

      #expect(try await allow("null", server).expect(200).json.quotaBytes == .null)
      try await publish(server, token: ada).expect(before)
      // Nothing changes, so the audit log has no further entry.
      try await allow("null", server).expect(200)
      #expect(
        try await server.acts() == Array(repeating: "token change-quota ada", count: 3))
      let entries = try await server.get("/admin/audit", token: server.adminToken).json.items
      #expect(entries[0].details == .object([:]))
      #expect(entries[1].details.quotaBytes.int == 1)
    }
  }

  @Test func `only admins set quotas, also their own, and only whole numbers of bytes`()
    async throws
  {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await allow("1", server, token: ada).expect(403, problem: "forbidden")
      for (quota, code) in [
        ("-1", "out-of-range"), ("9007199254740994", "out-of-range"), ("1.5", "not-a-number"),
        ("1e30", "not-a-number"), (#""1""#, "not-a-number"), ("true", "not-a-number"),
      ] {
        try await allow(quota, server)
          .expect(422, problem: "invalid-input", fields: ["quotaBytes \(code)"])
      }
      try await server.give("admin", to: "ada")
      // The role is refused, so the quota does not change either.
      try await server.json(
        "PATCH", "/admin/users/ada", #"{"quotaBytes":7,"role":"member"}"#, token: ada
      ).expect(403, problem: "forbidden")
      let account = try await server.get("/admin/users/ada", token: ada).expect(200)
      #expect(account.json.quotaBytes == .null)
      for quota in ["0", "9007199254740992"] {
        #expect(
          try await allow(quota, server, token: ada).expect(200).json.quotaBytes.int == Int(quota))
      }
    }
  }
}
