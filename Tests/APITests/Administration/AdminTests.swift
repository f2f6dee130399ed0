import Support
import Testing
import Wire
import mememe

struct AdminTests {
  /// Calls that require the admin role.
  private static let calls = [
    ("PUT", "/admin/users/eve/suspension", "{}"), ("DELETE", "/admin/users/eve/suspension", nil),
    ("DELETE", "/memes?before=2001-01-01T00:00:00Z", nil), ("GET", "/admin/audit", nil),
    ("GET", "/admin/stats", nil),
  ]

  @Test func `admin calls require the admin token or the admin role`() async throws {
    try await withServer { server in
      let (member, admin) = (try await server.signUp("eve"), try await server.signUpAdmin("ada"))
      let meme = try await server.upload().expect(201)
      let deleteToken = try #require(meme["meme-delete-token"])
      for (method, target, json) in Self.calls {
        func ask(_ token: String?) async throws -> Answer {
          guard let json else {
            return try await server.send(
              method, target, headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
          }
          return try await server.json(method, target, json, token: token)
        }
        let none = try await ask(nil).expect(401, problem: "unauthorized")
        #expect(none["www-authenticate"]?.hasPrefix("Bearer") == true)
        try await ask(deleteToken).expect(401, problem: "unauthorized")
        try await ask(member).expect(403, problem: "forbidden")
        for token in [admin, server.adminToken] {
          let answer = try await ask(token)
          #expect([200, 204].contains(answer.status), "\(method) \(target)")
        }
        // End eve's suspension, which one of the calls began.
        try await server.delete("/admin/users/eve/suspension", token: server.adminToken).expect(204)
      }
    }
  }

  @Test func `an admin account can do what the admin token can`() async throws {
    try await withServer { server in
      let admin = try await server.signUpAdmin("ada")
      let meme = try #require(try await server.upload().expect(201)["location"])
      let id = try #require(meme.split(separator: "/").last.map(String.init))
      #expect(
        try await server.get("\(meme)/original", token: admin).expect(200).response.body
          == (try Fixture.photo.bytes))
      for _ in 0..<2 {
        try await server.patch(meme, #"{"top":"by an admin"}"#, token: admin).expect(200)
      }
      try await server.delete(meme, token: admin).expect(204)
      try await server.restore(meme, token: admin).expect(200)
      // A second restore changes nothing, so it is not audited.
      try await server.restore(meme, token: admin).expect(200)
      let template = try await server.post(
        to: "/templates", [.file("image", try Fixture.photo.bytes), .field("name", "cat")])
      let templateURL = try #require(template.expect(201)["location"])
      try await server.delete(templateURL, token: admin).expect(204)
      let myself = try await server.get("/users/me", token: admin).json
      #expect(myself.username.text == "ada" && myself.role.text == "admin")
      let member = try await server.signUp("eve")
      #expect(try await server.get("/users/me", token: member).json.role.text == "member")
      #expect(try await server.get("/users/ada", token: member).json.role == .null)
      let templateID = try #require(templateURL.split(separator: "/").last)
      #expect(
        try await server.acts(token: admin) == [
          "ada delete-template \(templateID)", "ada restore-meme \(id)", "ada delete-meme \(id)",
          "ada edit-meme \(id)", "command change-role ada",
        ])
      // An admin's deletion of their own meme is not audited.
      let admins = try await server.upload(headers: [("Authorization", "Bearer \(admin)")])
      try await server.delete(try #require(admins.expect(201)["location"]), token: admin).expect(
        204)
      // An uploader's deletion of their own meme is not audited either.
      let own = try await server.upload().expect(201)
      try await server.delete(try #require(own["location"]), token: own["meme-delete-token"])
        .expect(204)
      #expect(try await server.acts().count == 5)
    }
  }

  @Test func `a revoked role ends with the next request`() async throws {
    try await withServer { server in
      let token = try await server.signUpAdmin("ada")
      try await server.get("/admin/stats", token: token).expect(200)
      try await server.give("member", to: "ada")
      try await server.get("/admin/stats", token: token).expect(403, problem: "forbidden")
      try await server.get("/users/me", token: token).expect(200)
      let meme = try #require(try await server.upload().expect(201)["location"])
      try await server.delete(meme, token: token).expect(403, problem: "forbidden")
    }
  }

  @Test func `an admin's cookie works only for same-origin requests`() async throws {
    try await withServer { server in
      try await server.signUpAdmin("ada")
      let field = try #require(
        try await server.signIn("ada", cookie: true, headers: [("Sec-Fetch-Site", "same-origin")])
          .expect(201)["set-cookie"])
      let cookie = ("Cookie", String(field.prefix { $0 != ";" }))
      try await server.register("eve").expect(201)
      for (site, status) in [("cross-site", 403), ("same-origin", 204)] {
        let answer = try await server.json(
          "PUT", "/admin/users/eve/suspension", "{}", headers: [cookie, ("Sec-Fetch-Site", site)])
        answer.expect(status, problem: status == 403 ? "cross-site" : nil)
      }
      let bulk = "/memes?before=2001-01-01T00:00:00Z"
      try await server.send("DELETE", bulk, headers: [cookie]).expect(403, problem: "cross-site")
      try await server.send("DELETE", bulk, headers: [cookie, ("Sec-Fetch-Site", "same-origin")])
        .expect(200)
    }
  }

  @Test func `the audit log is paginated and records request ids`() async throws {
    try await withServer { server in
      try await server.register("eve").expect(201)
      var request: String?
      for index in 0..<5 {
        let answer = try await server.suspend("eve", #"{"reason":"no. \#(index) \"quoted\""}"#)
        request = answer.expect(204)["x-request-id"]
        try await server.delete("/admin/users/eve/suspension", token: server.adminToken).expect(204)
      }
      var (target, found): (String?, [JSON]) = ("/admin/audit?limit=3", [])
      while let next = target {
        let page = try await server.get(next, token: server.adminToken).expect(200)
        found += page.json.items.elements
        target = page.json.nextCursor.text.map { "/admin/audit?limit=3&cursor=\($0)" }
        #expect((page["link"] != nil) == (target != nil))
      }
      #expect(found.count == 10)
      #expect(found[1].details.reason.text == #"no. 4 "quoted""#)
      #expect(found[0].details.reason == .null)
      #expect(request != nil && found[1].requestId.text == request)
      try await server.get("/admin/audit?cursor=x", token: server.adminToken)
        .expect(400, problem: "invalid-cursor")
    }
  }

  @Test func `statistics match the server's contents`() async throws {
    // This server has its own render pool, which does not count the renders of other servers.
    try await withServer({ $0.renderWorkers = 2 }) { server in
      _ = try await server.signUp("ada")
      try await server.register("eve").expect(201)
      try await server.suspend("eve").expect(204)
      let meme = try await server.upload(top: "x").expect(201)
      let second = try await server.upload().expect(201)
      let url = try #require(second["location"])
      try await server.delete(url, token: second["meme-delete-token"]).expect(204)
      let image = try await server.get(try #require(meme.json.image.url.text)).expect(200)

      let figures = try await server.get("/admin/stats", token: server.adminToken).expect(200).json
      #expect(figures.memes.int == 1)
      #expect(figures.deletedMemes.int == 1)
      #expect(figures.people.int == 2)
      #expect(figures.suspended.int == 1)
      #expect(figures.sessions.int == 1)
      #expect(figures.bytes.originals.int == 2 * (try Fixture.photo.bytes.count))
      #expect(try #require(figures.bytes.images.int) > image.response.body.count)
      #expect(try #require(figures.bytes.database.int) > figures.bytes.originals.int ?? 0)
      let days = figures.uploadsPerDay.elements
      #expect(days.count == 30)
      #expect(days.last?.count.int == 2)
      #expect(days.dropLast().allSatisfy { $0.count.int == 0 })
      let today = try #require(meme.json.createdAt.text)
      #expect(days.last?.date.text == String(today.prefix(10)))
      #expect(figures.renders.count.int == 2)
      #expect(figures.renders.confinement == .null)
      let ranges = figures.renders.ranges.elements
      #expect(ranges.count > 10 && ranges.reduce(0) { $0 + ($1.count.int ?? 0) } == 2)
      #expect(ranges.last?.upToSeconds == .null && ranges.first?.upToSeconds != .null)
    }
  }
}
