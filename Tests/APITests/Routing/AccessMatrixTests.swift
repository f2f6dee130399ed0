import API
import HTTP
import Support
import Testing
import Wire
import YAML

/// The access matrix: every operation, by every kind of caller.
///
/// A request that would change something is made so that it fails after authorization.
struct AccessMatrixTests {
  /// The kinds of callers. Ada is the owner of the memes, and has blocked `blocked`.
  fileprivate enum Actor: String, CaseIterable {
    case anonymous, owner, other, friend, blocked, admin
    // These tokens are invalid for every call.
    case expired, revoked, garbage
    // May only sign out, export data and delete the account.
    case suspended
    // Access tokens: the first two of a person like `other`, the last one of a person with the admin role.
    case reading, writing, administering
  }

  /// The expected statuses for the first six callers, in their order; a seventh is for the token of an admin.
  fileprivate struct Row {
    let operation: String
    var target: String
    var body: String?
    var headers: [(String, String)] = []
    /// Whether the operation ignores credentials.
    var isOpen = false
    /// The statuses by the meme's visibility. An operation about no meme has one entry, with an empty key.
    let statuses: [String: [Int]]

    private static let leaving: Set = [
      "DELETE /users/me", "POST /users/me/export", "DELETE /sessions", "DELETE /sessions/{session}",
    ]

    /// The operations that refuse every access token.
    private static let refusingTokens: Set = [
      "PATCH /users/me", "DELETE /users/me", "POST /users/me/email-confirmation",
      "PUT /users/me/password", "GET /sessions",
      "DELETE /sessions", "DELETE /sessions/{session}", "POST /users/me/tokens",
      "GET /users/me/tokens", "DELETE /users/me/tokens/{id}", "POST /auth/{app}",
      "POST /users/me/totp", "PUT /users/me/totp", "DELETE /users/me/totp",
      "POST /users/me/totp/recovery-codes", "POST /users/me/identities",
      "GET /users/me/identities", "DELETE /users/me/identities/{id}", "POST /invitations",
      "GET /invitations",
      "DELETE /invitations/{id}",
      "PATCH /admin/users/{username}", "DELETE /admin/users/{username}",
      "POST /admin/users/{username}/password-reset", "GET /admin/backups/{id}/file",
    ]

    func status(for actor: Actor, _ visibility: String) -> Int? {
      switch actor {
      case .expired, .revoked, .garbage: isOpen ? statuses[visibility]?[0] : 401
      case .suspended where isOpen: statuses[visibility]?[0]
      case .suspended: Self.leaving.contains(operation) ? status(for: .other, visibility) : 403
      case .reading, .writing, .administering: statusForToken(of: actor, visibility)
      default: Actor.allCases.firstIndex(of: actor).flatMap { statuses[visibility]?[$0] }
      }
    }

    private func statusForToken(of actor: Actor, _ visibility: String) -> Int? {
      if isOpen { return statuses[visibility]?[0] }
      if Self.refusingTokens.contains(operation) { return 403 }
      let isRefused = actor == .reading && !operation.hasPrefix("GET ")
      // The admin token has deleted the template.
      if operation == "DELETE /templates/{id}", !isRefused { return nil }
      if actor == .administering { return statusForAdministrator(visibility) }
      return isRefused ? 403 : status(for: .other, visibility)
    }
  }

  /// A position in the changes of an account that does not exist.
  private static let nobodys = "05" + String(repeating: "0", count: 48)

  private static func open(_ operation: String, _ target: String, _ status: Int = 200) -> Row {
    Row(
      operation: operation, target: target, isOpen: true,
      statuses: ["": [Int](repeating: status, count: 6)])
  }

  private static func row(
    _ operation: String, _ target: String, _ body: String? = nil, _ statuses: Int...
  ) -> Row {
    Row(operation: operation, target: target, body: body, statuses: ["": statuses])
  }

  /// A call that every caller may make, with its status.
  private static func all(
    _ operation: String, _ target: String, _ body: String? = nil, status: Int = 200
  ) -> Row {
    Row(
      operation: operation, target: target, body: body,
      statuses: ["": [Int](repeating: status, count: 6)])
  }

  /// A call for admins only.
  private static func admins(
    _ operation: String, _ target: String, _ body: String? = nil, status: Int = 200
  ) -> Row { row(operation, target, body, 401, 403, 403, 403, 403, status) }

  /// A call about a meme, for every caller who can see it.
  private static func seen(
    _ operation: String, _ target: String, _ body: String? = nil, status: Int = 200
  ) -> Row {
    Row(
      operation: operation, target: target, body: body,
      statuses: [
        "public": [status, status, status, status, 404, status],
        "friends": [404, status, 404, status, 404, status],
        "private": [404, status, 404, 404, 404, status],
      ])
  }

  /// A call about a meme, for accounts that can see it.
  private static func seenByPeople(
    _ operation: String, _ target: String, _ body: String? = nil, status: Int = 204
  ) -> Row {
    Row(
      operation: operation, target: target, body: body,
      statuses: [
        "public": [401, status, status, status, 404, 403],
        "friends": [401, status, 404, status, 404, 403],
        "private": [401, status, 404, 404, 404, 403],
      ])
  }

  /// A call about a meme, for its owner and the admin.
  private static func owned(
    _ operation: String, _ target: String, _ body: String? = nil,
    headers: [(String, String)] = [], status: Int
  ) -> Row {
    Row(
      operation: operation, target: target, body: body, headers: headers,
      statuses: [
        "public": [401, status, 403, 403, 404, status],
        "friends": [401, status, 404, 403, 404, status],
        "private": [401, status, 404, 404, 404, status],
      ])
  }

  private static func rows(_ meme: String, _ comment: String, _ template: String) -> [Row] {
    let id = meme.dropFirst("/memes/".count)
    let page = "http%3A%2F%2F127.0.0.1%2Fm%2F\(id)"
    let unknown = "01234567-89ab-7def-8123-456789abcdef"
    return [
      all("GET /memes", "/memes"),
      all("GET /images/{template}", "/images/nothing.png", status: 404),
      all("GET /images/{template}/{lines}", "/images/nothing/a/b.png", status: 404),
      all("POST /links", "/links", "{}", status: 422),
      all("GET /memegen/templates", "/memegen/templates"),
      all("GET /memegen/templates/{template}", "/memegen/templates/nothing", status: 404),
      all("GET /memegen/fonts", "/memegen/fonts"),
      all("POST /memegen/images", "/memegen/images", "{}", status: 422),
      all(
        "POST /memegen/templates/{template}", "/memegen/templates/nothing", "{}", status: 404),
      all("POST /memes", "/memes", "{}", status: 415),
      all("POST /memes/preview", "/memes/preview", "{}", status: 415),
      seen("GET /memes/{id}", meme),
      seen("GET /memes/{id}/remixes", "\(meme)/remixes"),
      owned("PATCH /memes/{id}", meme, "{}", status: 200),
      owned("DELETE /memes/{id}", meme, headers: [("If-Match", "\"99\"")], status: 412),
      owned("POST /memes/{id}/restore", "\(meme)/restore", status: 200),
      Row(
        operation: "POST /memes/{id}/claim", target: "\(meme)/claim",
        body: #"{"deleteToken":"wrong"}"#,
        statuses: [
          "public": [401, 422, 422, 422, 404, 403], "friends": [401, 422, 404, 422, 404, 403],
          "private": [401, 422, 404, 404, 404, 403],
        ]),
      seen("GET /memes/{id}/image", "\(meme)/image"),
      seen("GET /memes/{id}/image", "\(meme)/image?width=50"),
      seen("GET /memes/{id}/image", "\(meme)/image?v=1"),
      seen("GET /memes/{id}/thumbnail", "\(meme)/thumbnail"),
      Row(
        operation: "GET /memes/{id}/original", target: "\(meme)/original",
        statuses: [
          "public": [404, 200, 404, 404, 404, 200], "friends": [404, 200, 404, 404, 404, 200],
          "private": [404, 200, 404, 404, 404, 200],
        ]),
      seen("GET /memes/{id}/share", "\(meme)/share"),
      seen("POST /memes/{id}/shares", "\(meme)/shares", #"{"channel":"link"}"#, status: 204),
      seenByPeople("PUT /memes/{id}/like", "\(meme)/like"),
      seenByPeople("DELETE /memes/{id}/like", "\(meme)/like"),
      seenByPeople("PUT /memes/{id}/favorite", "\(meme)/favorite"),
      seenByPeople("DELETE /memes/{id}/favorite", "\(meme)/favorite"),
      seen("GET /memes/{id}/likes", "\(meme)/likes"),
      seen("GET /memes/{id}/comments", "\(meme)/comments"),
      seenByPeople(
        "POST /memes/{id}/comments", "\(meme)/comments", #"{"text":"x"}"#, status: 201),
      seen("GET /comments/{id}", comment),
      Row(
        operation: "PATCH /comments/{id}", target: comment, body: #"{"text":"x"}"#,
        statuses: [
          "public": [401, 200, 403, 403, 404, 403], "friends": [401, 200, 404, 403, 404, 403],
          "private": [401, 200, 404, 404, 404, 403],
        ]),
      owned("DELETE /comments/{id}", comment, headers: [("If-Match", "\"99\"")], status: 412),
      seen("POST /comments/{id}/reports", "\(comment)/reports", #"{"reason":"x"}"#, status: 201),
      row("GET /users/me/favorites", "/users/me/favorites", nil, 401, 200, 200, 200, 200, 403),
      seen("POST /memes/{id}/reports", "\(meme)/reports", #"{"reason":"x"}"#, status: 201),
      seen("GET /m/{id}", "/m/\(id)"),
      seen("GET /oembed", "/oembed?url=\(page)"),
      all("POST /uploads", "/uploads", "x", status: 415),
      all("GET /uploads/{id}", "/uploads/\(unknown)", status: 404),
      all("PATCH /uploads/{id}", "/uploads/\(unknown)", "x", status: 415),
      all("DELETE /uploads/{id}", "/uploads/\(unknown)", status: 404),
      all("GET /templates", "/templates"),
      all("POST /templates", "/templates", "{}", status: 415),
      all("GET /templates/{id}", template),
      row("PATCH /templates/{id}", template, "{}", 401, 403, 403, 403, 403, 200),
      row("DELETE /templates/{id}", "/templates/\(unknown)", nil, 401, 404, 404, 404, 404, 404),
      row("DELETE /templates/{id}", template, nil, 401, 403, 403, 403, 403, 204),
      all("GET /templates/{id}/image", "/templates/\(unknown)/image", status: 404),
      all("GET /templates/{id}/thumbnail", "/templates/\(unknown)/thumbnail", status: 404),
      open("POST /users", "/users", 415),
      row("GET /users/me", "/users/me", nil, 401, 200, 200, 200, 200, 403),
      row("GET /users/me/usage", "/users/me/usage", nil, 401, 200, 200, 200, 200, 403),
      row("PATCH /users/me", "/users/me", "{}", 401, 200, 200, 200, 200, 403),
      row("DELETE /users/me", "/users/me", "{}", 401, 422, 422, 422, 422, 403),
      row("GET /users/me/settings", "/users/me/settings", nil, 401, 200, 200, 200, 200, 403),
      row("PUT /users/me/settings", "/users/me/settings", "{}", 401, 200, 200, 200, 200, 403),
      row("PATCH /users/me/settings", "/users/me/settings", "{}", 401, 200, 200, 200, 200, 403),
      row("PUT /users/me/avatar", "/users/me/avatar", "{}", 401, 415, 415, 415, 415, 403),
      row("DELETE /users/me/avatar", "/users/me/avatar", nil, 401, 204, 204, 204, 204, 403),
      row("PUT /users/me/password", "/users/me/password", "{}", 401, 422, 422, 422, 422, 403),
      row("POST /users/me/export", "/users/me/export", nil, 401, 200, 200, 200, 200, 403),
      row("GET /users/me/friends", "/users/me/friends", nil, 401, 200, 200, 200, 200, 403),
      row("GET /users/me/blocks", "/users/me/blocks", nil, 401, 200, 200, 200, 200, 403),
      row("GET /users/{username}", "/users/ada", nil, 200, 200, 200, 200, 404, 200),
      row("GET /users/{username}/avatar", "/users/ada/avatar", nil, 200, 200, 200, 200, 404, 200),
      row("GET /users/{username}/memes", "/users/ada/memes", nil, 200, 200, 200, 200, 404, 200),
      row("GET /memes", "/memes?author=ada", nil, 200, 200, 200, 200, 404, 200),
      row("GET /memes", "/memes?author=me", nil, 401, 200, 200, 200, 200, 403),
      all("GET /memes", "/memes?sort=oldest"), all("GET /memes", "/memes?sort=popular"),
      all("GET /memes", "/memes?q=x"),
      all("GET /memes.atom", "/memes.atom"), all("GET /memes.atom", "/memes.atom?author=ada"),
      row("GET /memes", "/memes?q=x&author=ada", nil, 200, 200, 200, 200, 404, 200),
      all("GET /users", "/users?q=ada"),
      row("GET /memes/changes", "/memes/changes", nil, 401, 200, 200, 200, 200, 403),
      // With an unknown position, because a stream that begins would not end.
      row(
        "GET /memes/events", "/memes/events?since=\(nobodys)", nil, 401, 410, 410, 410, 410, 403),
      row("GET /feed", "/feed", nil, 401, 200, 200, 200, 200, 403),
      row(
        "GET /users/{username}/followers", "/users/ada/followers", nil, 200, 200, 200, 200, 404, 200
      ),
      row(
        "GET /users/{username}/following", "/users/ada/following", nil, 200, 200, 200, 200, 404, 200
      ),
      row("PUT /users/{username}/follow", "/users/ada/follow", nil, 401, 422, 204, 204, 404, 403),
      row(
        "DELETE /users/{username}/follow", "/users/zoe/follow", nil, 401, 204, 204, 204, 204, 403),
      row("PUT /users/{username}/block", "/users/zoe/block", nil, 401, 204, 204, 204, 204, 403),
      row("DELETE /users/{username}/block", "/users/ada/block", nil, 401, 422, 204, 204, 404, 403),
      row(
        "POST /users/{username}/reports", "/users/ada/reports", #"{"reason":"x"}"#, 201, 422, 201,
        201, 404, 201),
      row("GET /notifications", "/notifications", nil, 401, 200, 200, 200, 200, 403),
      row("PUT /notifications/read", "/notifications/read", "{}", 401, 204, 204, 204, 204, 403),
      row("POST /users/me/tokens", "/users/me/tokens", "{}", 401, 422, 422, 422, 422, 403),
      row("GET /users/me/tokens", "/users/me/tokens", nil, 401, 200, 200, 200, 200, 403),
      row(
        "DELETE /users/me/tokens/{id}", "/users/me/tokens/\(unknown)", nil, 401, 404, 404, 404, 404,
        403),
      row(
        "POST /auth/{app}", "/auth/bot", #"{"password":"not my password"}"#, 401, 422, 422, 422,
        422, 403),
      row("POST /users/me/totp", "/users/me/totp", "[]", 401, 400, 400, 400, 400, 403),
      row("PUT /users/me/totp", "/users/me/totp", "{}", 401, 422, 422, 422, 422, 403),
      row("DELETE /users/me/totp", "/users/me/totp", "{}", 401, 422, 422, 422, 422, 403),
      row(
        "POST /users/me/totp/recovery-codes", "/users/me/totp/recovery-codes", "{}", 401, 422, 422,
        422, 422, 403),
      // A server with a provider is in SingleSignOnTests.
      open("GET /oidc/start", "/oidc/start", 404),
      open("GET /oidc/callback", "/oidc/callback", 404),
      row("POST /users/me/identities", "/users/me/identities", "{}", 401, 404, 404, 404, 404, 403),
      row("GET /users/me/identities", "/users/me/identities", nil, 401, 200, 200, 200, 200, 403),
      row(
        "DELETE /users/me/identities/{id}", "/users/me/identities/\(unknown)", nil, 401, 404, 404,
        404, 404, 403),
      open("POST /sessions", "/sessions", 415),
      row("GET /sessions", "/sessions", nil, 401, 200, 200, 200, 200, 403),
      row("DELETE /sessions/{session}", "/sessions/\(unknown)", nil, 401, 404, 404, 404, 404, 403),
      row(
        "POST /users/me/email-confirmation", "/users/me/email-confirmation", nil, 401, 501, 501,
        501,
        501, 403),
      open("POST /email-confirmations", "/email-confirmations", 415),
      open("POST /password-resets", "/password-resets", 415),
      open("PUT /password-resets/{token}", "/password-resets/nonsense", 415),
      open("GET /reset-password", "/reset-password"),
      // A server with MEMEME_MEMBER_INVITES is in InvitationTests.
      row("POST /invitations", "/invitations", "{}", 401, 403, 403, 403, 403, 201),
      row("GET /invitations", "/invitations", nil, 401, 200, 200, 200, 200, 200),
      row("DELETE /invitations/{id}", "/invitations/\(unknown)", nil, 401, 404, 404, 404, 404, 404),
      // A server with MEMEME_CONNECTIONS=members is in ConnectionTests.
      row("POST /connections", "/connections", "{}", 401, 403, 403, 403, 403, 403, 422),
      row("GET /connections", "/connections", nil, 401, 403, 403, 403, 403, 403, 200),
      row(
        "GET /connections/{id}", "/connections/\(unknown)", nil, 401, 403, 403, 403, 403, 403, 404),
      row(
        "PATCH /connections/{id}", "/connections/\(unknown)", "{}", 401, 403, 403, 403, 403, 403,
        404),
      row(
        "DELETE /connections/{id}", "/connections/\(unknown)", nil, 401, 403, 403, 403, 403, 403,
        404),
      row(
        "PUT /connections/{id}/secret", "/connections/\(unknown)/secret", "{}", 401, 403, 403, 403,
        403, 403, 404),
      row(
        "POST /connections/{id}/actions/pause", "/connections/\(unknown)/actions/pause", nil, 401,
        403, 403, 403, 403, 403, 404),
      row(
        "POST /connections/{id}/actions/resume", "/connections/\(unknown)/actions/resume", nil, 401,
        403, 403, 403, 403, 403, 404),
      row(
        "POST /connections/{id}/actions/restart", "/connections/\(unknown)/actions/restart", nil,
        401, 403, 403, 403, 403, 403, 404),
      row(
        "GET /connections/{id}/actions/export", "/connections/\(unknown)/actions/export", nil, 401,
        403, 403, 403, 403, 403, 404),
      row(
        "POST /connections/{id}/actions/import", "/connections/\(unknown)/actions/import", "{}",
        401, 403, 403, 403, 403, 403, 422),
      row(
        "POST /connections/{id}/mappings", "/connections/\(unknown)/mappings", "{}", 401, 403, 403,
        403, 403, 403, 422),
      row(
        "GET /connections/{id}/deliveries", "/connections/\(unknown)/deliveries", nil, 401, 403,
        403, 403, 403, 403, 404),
      row("GET /mappings/{id}", "/mappings/\(unknown)", nil, 401, 403, 403, 403, 403, 403, 404),
      row("PUT /mappings/{id}", "/mappings/\(unknown)", "{}", 401, 403, 403, 403, 403, 403, 422),
      row("DELETE /mappings/{id}", "/mappings/\(unknown)", nil, 401, 403, 403, 403, 403, 403, 404),
      row(
        "POST /mappings/{id}/actions/reload", "/mappings/\(unknown)/actions/reload", nil, 401, 403,
        403, 403, 403, 403, 404),
      row(
        "POST /deliveries/{id}/actions/retry", "/deliveries/\(unknown)/actions/retry", nil, 401,
        403, 403, 403, 403, 403, 404),
      admins("DELETE /memes", "/memes?before=2001-01-01T00:00:00Z"),
      admins("GET /admin/audit", "/admin/audit"),
      admins("GET /admin/users", "/admin/users"),
      admins("GET /admin/users/{username}", "/admin/users/zelda", status: 404),
      admins("PATCH /admin/users/{username}", "/admin/users/zelda", "{}", status: 404),
      admins("DELETE /admin/users/{username}", "/admin/users/zelda", status: 404),
      admins(
        "POST /admin/users/{username}/password-reset", "/admin/users/zelda/password-reset",
        status: 404),
      admins("GET /admin/stats", "/admin/stats"),
      admins("GET /admin/usage", "/admin/usage"),
      admins("DELETE /templates", "/templates?anonymous=true&dryRun=true"),
      admins("GET /admin/reports", "/admin/reports"),
      admins("GET /admin/backups", "/admin/backups"),
      admins("POST /admin/backups", "/admin/backups", status: 202),
      admins("GET /admin/backups/{id}", "/admin/backups/\(unknown)", status: 404),
      admins("GET /admin/backups/{id}/file", "/admin/backups/\(unknown)/file", status: 404),
      admins("DELETE /admin/backups/{id}", "/admin/backups/\(unknown)", status: 404),
      admins("PATCH /admin/reports/{id}", "/admin/reports/\(unknown)", "{}", status: 422),
      admins(
        "PUT /admin/users/{username}/suspension", "/admin/users/nobody/suspension", "{}",
        status: 404),
      admins(
        "DELETE /admin/users/{username}/suspension", "/admin/users/nobody/suspension", status: 404),
      all("GET /tags", "/tags"), all("GET /fonts", "/fonts"),
      all("GET /fonts/{id}/sample", "/fonts/none/sample", status: 404),
      all("GET /fonts/{id}/file", "/fonts/none/file", status: 404),
      open("GET /healthz", "/healthz"), open("GET /readyz", "/readyz"),
      open("GET /", "/"), open("GET /app/{page}", "/app/grid"),
      open("GET /app/{page}/{name}", "/app/meme/x"),
      open("GET /app/{page}/{name}/{part}", "/app/people/ada/followers"),
      open("GET /manifest.webmanifest", "/manifest.webmanifest"),
      open("GET /favicon.ico", "/favicon.ico"), open("GET /robots.txt", "/robots.txt"),
      open("GET /.well-known/change-password", "/.well-known/change-password", 302),
      open("GET /service-worker.js", "/service-worker.js"),
      open("GET /web/{version}/{folder}/{file}", "/web/0/app/main.js", 404),
      open("GET /openapi.yaml", "/openapi.yaml"), open("GET /openapi.json", "/openapi.json"),
      open("GET /openapi-3.0.yaml", "/openapi-3.0.yaml"), open("GET /docs", "/docs"),
      open("GET /problems/{code}", "/problems/gone"), open("GET /metrics", "/metrics"),
      // Last, because it signs the caller out.
      row("DELETE /sessions", "/sessions", nil, 401, 204, 204, 204, 204, 403),
    ]
  }

  @Test func `every operation has the access rules of the table`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      var tokens: [Actor: String] = [.garbage: "nonsense", .admin: server.adminToken]
      tokens[.expired] = try await server.signUp("old")
      clock.set(400 * 86_400_000)
      for (actor, name) in [
        (Actor.owner, "ada"), (.other, "eve"), (.friend, "bob"), (.blocked, "mal"),
        (.revoked, "rex"), (.suspended, "sue"),
      ] {
        tokens[actor] = try await server.signUp(name)
      }
      _ = try await server.register("zoe")
      try await server.delete("/sessions/current", token: tokens[.revoked]).expect(204)
      try await server.suspend("sue").expect(204)
      let (tia, kat) = (try await server.signUp("tia"), try await server.signUpAdmin("kat"))
      tokens[.reading] = try await server.makeToken(["read"], token: tia)
      tokens[.writing] = try await server.makeToken(["write"], token: tia)
      tokens[.administering] = try await server.makeToken(["admin"], token: kat)
      let (ada, bob) = (try #require(tokens[.owner]), try #require(tokens[.friend]))
      try await server.befriend(("ada", ada), ("bob", bob))
      try await server.put("/users/mal/block", token: ada).expect(204)
      var memes: [String: (String, comment: String)] = [:]
      for visibility in ["public", "friends", "private"] {
        let meme = try await server.make(visibility, token: ada)
        let comment = try await server.json(
          "POST", "\(meme)/comments", #"{"text":"x"}"#, token: ada
        ).expect(201)["location"]
        memes[visibility] = (meme, try #require(comment))
      }
      let template = try #require(
        try await server.keepTemplate(token: try await server.token("zoe"))["location"])

      for (visibility, (meme, comment)) in memes {
        for row in Self.rows(meme, comment, template) where row.statuses[visibility] != nil {
          try await check(row, visibility, server, tokens)
        }
      }
      for row in Self.rows("/memes/x", "", template) where row.statuses[""] != nil {
        try await check(row, "", server, tokens)
      }
      let operations = Set(Self.rows("/memes/x", "", "").map(\.operation))
      #expect(operations == Set(server.routes.map { "\($0.method.rawValue) \($0.pattern.text)" }))
    }
  }

  private func check(
    _ row: Row, _ visibility: String, _ server: TestServer, _ tokens: [Actor: String]
  ) async throws {
    let method = String(row.operation.prefix { $0 != " " })
    // The URL for oEmbed contains the port.
    let target = row.target.replacing("127.0.0.1%2F", with: "127.0.0.1%3A\(server.port)%2F")
    for actor in Actor.allCases {
      guard let status = row.status(for: actor, visibility) else { continue }
      var headers = row.headers
      if let token = tokens[actor] { headers.append(("Authorization", "Bearer \(token)")) }
      if row.body != nil { headers.append(("Content-Type", row.contentType)) }
      let answer = try await server.send(
        method, target, headers: headers, body: row.body.map { Array($0.utf8) })
      #expect(
        answer.status == status,
        "\(actor) \(row.operation) \(visibility) \(answer.response.text.suffix(200))")
    }
  }
}

extension AccessMatrixTests.Row {
  /// The status for an access token with the scope `admin`: that of the admin token, or if the call is for people, that
  /// of a person who sees every meme.
  ///
  /// - Returns: `nil` if the admin token has made the call, and it cannot be made again.
  fileprivate func statusForAdministrator(_ visibility: String) -> Int? {
    if operation == "POST /admin/backups" { return nil }
    // A call that only admins with an account can make.
    if let own = statuses[visibility]?.dropFirst(6).first { return own }
    let status = status(for: .admin, visibility)
    guard status == 403, operation != "PATCH /comments/{id}" else { return status }
    let isLikeOwner = !visibility.isEmpty && operation != "POST /memes/{id}/claim"
    return self.status(for: isLikeOwner ? .owner : .other, visibility)
  }

  /// A call that does not take JSON rejects it only after authorization.
  fileprivate var contentType: String { isOpen ? "text/plain" : "application/json" }
}
