import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

struct InvitationTests {
  private static let day: Int64 = 86_400_000

  private static func byInvitation(_ settings: inout Settings) { settings.registration = .invite }

  /// Members can have two invitations.
  private static func byMembers(_ settings: inout Settings) {
    (settings.registration, settings.memberInvites) = (.invite, 2)
  }

  @Test(arguments: [RegistrationMode.invite, .closed])
  func `without an invitation, accounts are created only by the operator`(
    mode: RegistrationMode
  ) async throws {
    try await withServer({ $0.registration = mode }) { server in
      try await server.register("eve").expect(403, problem: "registration-closed")
      try await server.register("eve", headers: [("Idempotency-Key", "k")])
        .expect(403, problem: "registration-closed")
      try await server.json(
        "POST", "/users",
        #"{"username":"eve","email":"eve@example.org","password":"a cat on a keyboard","invitation":null}"#
      ).expect(403, problem: "registration-closed")
      try await server.create("ada")
      _ = try await server.token("ada")
      let page = try await server.get("/app/register").expect(200).response.text
      #expect(page.contains(#"data-registration="\#(mode.rawValue)" data-invites="false""#))
    }
  }

  @Test func `an invitation creates one account`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now, Self.byInvitation) { server in
      let answer = try await server.invite().expect(201)
      let made = answer.json
      let code = try #require(made.code.text)
      #expect(answer["cache-control"] == "no-store" && answer["etag"] == nil)
      #expect(code.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
      #expect(made.url.text?.hasSuffix("/app/join#\(code)") == true)
      #expect(made.inviter == .null && made.email == .null)
      #expect(made.role.text == "member" && made.uses.int == 1)
      let end = Timestamp(
        millisecondsSince1970: clock.now().millisecondsSince1970 + 14 * Self.day)
      #expect(made.expiresAt.text == end.description)
      let listed = try await server.invitations()
      #expect(listed.map(\.id) == [made.id])
      #expect(listed.map(\.code) == [.null])

      let ada = try await server.join("ada", code).expect(201)
      #expect(ada.json.role.text == "member")
      try await server.join("bob", code).expect(422, problem: "invitation-invalid", lacking: [code])
      #expect(try await server.invitations().isEmpty)
      try await server.get("/users/bob").expect(404)
    }
  }

  @Test func `a code that is unknown, deleted, expired or for another email creates no account`()
    async throws
  {
    let clock = HeldClock()
    try await withServer(now: clock.now, Self.byInvitation) { server in
      for code in ["", "x", String(repeating: "A", count: 22), "nul\\u0000"] {
        try await server.join("eve", code).expect(422, problem: "invitation-invalid")
      }
      let deleted = try await server.invite().expect(201).json
      try await server.delete("/invitations/\(deleted.id.text ?? "")", token: server.adminToken)
        .expect(204)
      try await server.join("eve", deleted.code.text ?? "")
        .expect(422, problem: "invitation-invalid")

      let bound = try await server.code(#"{"email":"Ada@Example.org"}"#)
      try await server.join("eve", bound).expect(422, problem: "invitation-invalid")
      // The invitation is still good for its email, in any case.
      try await server.join("ada", bound).expect(201)

      let later = try await server.code(#"{"expiresAt":null}"#)
      clock.set(14 * Self.day)
      try await server.join("eve", later).expect(422, problem: "invitation-invalid")
      #expect(try await server.invitations().isEmpty)
      try await server.get("/users/eve").expect(404)
    }
  }

  @Test func `a taken name or email leaves the invitation unused, and a bad code reveals neither`()
    async throws
  {
    try await withServer(Self.byInvitation) { server in
      try await server.create("ada")
      try await server.join("ada", "wrong").expect(422, problem: "invitation-invalid")
      let code = try await server.code()
      try await server.join("ada", code).expect(409, problem: "username-taken")
      try await server.join("bob", code, email: "ada@example.org")
        .expect(409, problem: "email-taken")
      try await server.join("bob", code).expect(201)
    }
  }

  @Test func `an admin decides the role and the number of accounts, and both are in the audit log`()
    async throws
  {
    try await withServer(Self.byInvitation) { server in
      let made = try await server.invite(#"{"role":"admin","uses":2}"#).expect(201).json
      let code = try #require(made.code.text)
      #expect(try await server.join("ada", code).expect(201).json.role.text == "admin")
      let token = try await server.token("ada")
      let left = try await server.invitations(token: token)
      #expect(left.map(\.uses.int) == [1])
      try await server.join("bob", code).expect(201)
      try await server.join("eve", code).expect(422, problem: "invitation-invalid")
      let second = try await server.invite(token: token).expect(201).json
      #expect(second.inviter.text == "ada")
      try await server.delete("/invitations/\(second.id.text ?? "")", token: server.adminToken)
        .expect(204)
      let (first, other) = (made.id.text ?? "", second.id.text ?? "")
      #expect(
        try await server.acts(token: token) == [
          "token delete-invitation \(other)", "ada create-invitation \(other)",
          "token create-invitation \(first)",
        ])
    }
  }

  @Test func `of many concurrent registrations with one invitation, one creates an account`()
    async throws
  {
    try await withServer(Self.byInvitation) { server in
      let code = try await server.code()
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for number in 0..<8 {
          group.addTask { try await server.join("user\(number)", code) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.filter { $0.status == 201 }.count == 1)
      for answer in answers where answer.status != 201 {
        answer.expect(422, problem: "invitation-invalid")
      }
    }
  }

  @Test func `a repeated registration with its key is replayed, although the invitation is used`()
    async throws
  {
    try await withServer(Self.byInvitation) { server in
      let (code, key) = (try await server.code(), [("Idempotency-Key", "k")])
      let first = try await server.join("ada", code, headers: key).expect(201)
      let again = try await server.join("ada", code, headers: key).expect(201)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again.response.body == first.response.body)
      try await server.join("ada", "other", headers: key)
        .expect(422, problem: "idempotency-key-reused")
    }
  }

  @Test func `an Idempotency-Key has no effect on invitations, so no code is stored`() async throws
  {
    try await withServer(Self.byInvitation) { server in
      var codes: Set<String> = []
      for _ in 0..<2 {
        let answer = try await server.json(
          "POST", "/invitations", "{}", token: server.adminToken,
          headers: [("Idempotency-Key", "k")]
        ).expect(201)
        codes.insert(try #require(answer.json.code.text))
      }
      #expect(codes.count == 2)
      #expect(try await server.invitations().count == 2)
    }
  }

  @Test func `members invite one person each, as often as the server allows`() async throws {
    try await withServer(Self.byMembers) { server in
      for name in ["ada", "bob"] { try await server.create(name) }
      let (ada, bob) = (try await server.token("ada"), try await server.token("bob"))
      for terms in [#"{"role":"admin"}"#, #"{"uses":2}"#] {
        try await server.invite(terms, token: ada).expect(403, problem: "forbidden")
      }
      let first = try await server.code(#"{"role":"member","uses":1}"#, token: ada)
      let second = try await server.invite(token: ada).expect(201).json
      try await server.invite(token: ada).expect(409, problem: "too-many-invitations")
      let other = try await server.invite(token: bob).expect(201).json

      // Members see and delete their own only, and admins all.
      #expect(try await server.invitations(token: bob).map(\.id) == [other.id])
      #expect(try await server.invitations().map(\.inviter.text) == ["bob", "ada", "ada"])
      for id in [second.id.text ?? "", "nonsense"] {
        try await server.delete("/invitations/\(id)", token: bob).expect(404, problem: "not-found")
      }
      let path = "/invitations/\(other.id.text ?? "")"
      try await server.delete(path, token: bob).expect(204)
      try await server.delete(path, token: bob).expect(404, problem: "not-found")

      // A used invitation makes room for another one.
      #expect(try await server.join("carl", first).expect(201).json.role.text == "member")
      try await server.invite(token: ada).expect(201)
      let page = try await server.get("/app/register").expect(200).response.text
      #expect(page.contains(#"data-registration="invite" data-invites="true""#))
    }
  }

  @Test func `a list has pages, and supports conditions`() async throws {
    try await withServer { server in
      for _ in 0..<3 { try await server.invite().expect(201) }
      let all = try await server.invitations().compactMap(\.id.text)
      let first = try await server.get("/invitations?limit=2", token: server.adminToken).expect(200)
      let next = try #require(first.json.nextCursor.text)
      #expect(first["link"] == "</invitations?limit=2&cursor=\(next)>; rel=\"next\"")
      let second = try await server.get(
        "/invitations?limit=2&cursor=\(next)", token: server.adminToken
      ).expect(200)
      #expect(second.json.nextCursor == .null)
      let found = (first.json.items.elements + second.json.items.elements).compactMap(\.id.text)
      #expect(found == all && found.count == 3)
      try await server.send(
        "GET", "/invitations",
        headers: [
          ("Authorization", "Bearer \(server.adminToken)"),
          (
            "If-None-Match",
            try #require(try await server.get("/invitations", token: server.adminToken)["etag"])
          ),
        ]
      ).expect(304)
      try await server.get("/invitations?cursor=x", token: server.adminToken)
        .expect(400, problem: "invalid-cursor")
    }
  }

  @Test func `the invitations of a suspended or deleted inviter and of a former admin end`()
    async throws
  {
    try await withServer(Self.byMembers) { server in
      for name in ["ada", "bob", "carl"] { try await server.create(name) }
      let (ada, bob) = (try await server.token("ada"), try await server.token("bob"))
      try await server.give("admin", to: "carl")
      let codes = [
        try await server.code(token: ada), try await server.code(token: bob),
        try await server.code(#"{"role":"admin"}"#, token: try await server.token("carl")),
      ]
      try await server.suspend("ada").expect(204)
      try await server.delete("/admin/users/ada/suspension", token: server.adminToken).expect(204)
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: bob
      ).expect(204)
      try await server.give("member", to: "carl")
      for code in codes {
        try await server.join("eve", code).expect(422, problem: "invitation-invalid")
      }
      #expect(try await server.invitations().isEmpty)
    }
  }

  @Test func `without MEMEME_MEMBER_INVITES, only admins invite`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await server.invite(token: ada).expect(403, problem: "forbidden")
      #expect(try await server.invitations(token: ada).isEmpty)
      // An open server accepts an invitation, for its role, and no wrong ones.
      let code = try await server.code(#"{"role":"admin"}"#)
      try await server.join("eve", "wrong").expect(422, problem: "invitation-invalid")
      #expect(try await server.join("bob", code).expect(201).json.role.text == "admin")
    }
  }

  @Test func `a closed server accepts no invitations, not even earlier ones`() async throws {
    try await withDataFolder { folder in
      var code = ""
      try await withServer(in: folder, Self.byInvitation) { code = try await $0.code() }
      try await withServer(in: folder, { ($0.registration, $0.memberInvites) = (.closed, 2) }) {
        server in
        try await server.join("eve", code).expect(403, problem: "registration-closed")
        try await server.invite().expect(403, problem: "registration-closed")
        #expect(try await server.invitations().count == 1)
        let page = try await server.get("/").expect(200).response.text
        #expect(page.contains(#"data-registration="closed" data-invites="false""#))
      }
    }
  }

  @Test(arguments: [
    (#"{"uses":0}"#, ["uses out-of-range"]), (#"{"uses":1001}"#, ["uses out-of-range"]),
    (#"{"uses":1.5,"role":"king"}"#, ["uses not-a-number", "role not-allowed"]),
    (
      #"{"email":"x","expiresAt":"soon","code":"x"}"#,
      ["email invalid-email", "expiresAt invalid-time", "code unknown-field"]
    ),
    (#"{"expiresAt":"2001-01-01T00:00:00Z"}"#, ["expiresAt out-of-range"]),
    (#"{"expiresAt":"2999-01-01T00:00:00Z"}"#, ["expiresAt out-of-range"]),
  ])
  func `invalid terms are named`(_ terms: String, _ fields: [String]) async throws {
    try await withServer { server in
      try await server.invite(terms).expect(422, problem: "invalid-input", fields: fields)
      try await server.invite("[]").expect(400, problem: "malformed-request")
    }
  }

  @Test func `an admin's invitation ends within a year, and a member's within 14 days`()
    async throws
  {
    let clock = HeldClock()
    try await withServer(now: clock.now, Self.byMembers) { server in
      try await server.create("ada")
      let ada = try await server.token("ada")
      func terms(days: Int64) -> String {
        let end = clock.now().millisecondsSince1970 + days * Self.day
        return #"{"expiresAt":"\#(Timestamp(millisecondsSince1970: end))"}"#
      }
      try await server.invite(terms(days: 365)).expect(201)
      try await server.invite(terms(days: 366))
        .expect(422, problem: "invalid-input", fields: ["expiresAt out-of-range"])
      try await server.invite(terms(days: 14), token: ada).expect(201)
      try await server.invite(terms(days: 15), token: ada)
        .expect(422, problem: "invalid-input", fields: ["expiresAt out-of-range"])
    }
  }

  @Test func `guesses of codes are limited like registrations`() async throws {
    try await withServer({
      Self.byInvitation(&$0)
      $0.limitsRates = true
      $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
    }) { server in
      let code = try await server.code()
      let here = [("X-Forwarded-For", "203.0.113.7")]
      for number in 0..<Limit.registration.rate.burst {
        try await server.join("eve", "guess\(number)", headers: here)
          .expect(422, problem: "invitation-invalid")
      }
      try await server.join("eve", code, headers: here).expect(429, problem: "too-many-requests")
      try await server.join("ada", code, headers: [("X-Forwarded-For", "198.51.100.9")])
        .expect(201)
    }
  }

  @Test func `a code is only in the response to its creation, never in a log or the data folder`()
    async throws
  {
    try await withDataFolder { folder in
      var codes: [String] = []
      try await withServer(in: folder, Self.byInvitation) { server in
        for _ in 0..<2 { codes.append(try await server.code()) }
        for code in codes {
          for place in ["/app/join", "/app/join?\(code)", "/app/join?invitation=\(code)"] {
            try await server.get(place).expect(200, lacking: [code])
          }
          try await server.get("/invitations", token: server.adminToken)
            .expect(200, lacking: [code])
        }
        try await server.join("ada", codes[0], headers: [("Idempotency-Key", "k")]).expect(201)
        try await server.join("eve", codes[0]).expect(422, lacking: [codes[0]])
      }
      let stored = try storedText(in: folder)
      #expect(stored.contains("ada@example.org"))
      for code in codes { #expect(!stored.contains(code)) }
    }
  }
}

extension TestServer {
  /// Creates an account on the command line.
  fileprivate func create(_ username: String) async throws {
    let ended = try await ServerProcess.run(
      [
        "user", "create", username, "--email", "\(username)@example.org", "--data", folder.path,
      ] + databaseFlags, input: "\(Self.password)\n")
    #expect(ended.code == 0, "\(ended.output)")
  }

  /// - Parameter token: of the inviter; the admin token by default.
  fileprivate func invite(_ terms: String = "{}", token: String? = nil) async throws -> Answer {
    try await json("POST", "/invitations", terms, token: token ?? adminToken)
  }

  /// The code of a new invitation.
  fileprivate func code(_ terms: String = "{}", token: String? = nil) async throws -> String {
    try #require(try await invite(terms, token: token).expect(201).json.code.text)
  }

  fileprivate func invitations(token: String? = nil) async throws -> [JSON] {
    try await get("/invitations?limit=100", token: token ?? adminToken).expect(200).json.items
      .elements
  }

  /// Registers with an invitation.
  fileprivate func join(
    _ username: String, _ code: String, email: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    try await json(
      "POST", "/users",
      #"{"username":"\#(username)","email":"\#(email ?? "\(username)@example.org")","#
        + #""password":"\#(Self.password)","invitation":"\#(code)"}"#,
      headers: headers)
  }
}
