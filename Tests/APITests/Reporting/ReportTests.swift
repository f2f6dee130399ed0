import Memes
import Support
import Testing
import Wire
import mememe

/// Reports that people file.
struct ReportTests {
  private func report(
    _ server: TestServer, _ target: String, _ reason: String = "spam", token: String? = nil,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    try await server.json(
      "POST", "\(target)/reports", #"{"reason":"\#(reason)"}"#, token: token, headers: headers)
  }

  private func queue(
    _ server: TestServer, _ status: String = "open"
  ) async throws -> [JSON] {
    try await server.get("/admin/reports?status=\(status)&limit=100", token: server.adminToken)
      .expect(200).json.items.elements
  }

  @Test func `a report appears in the queue with its subject`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(top: "buy this", token: ada)
      // The ID of a report may contain ada.
      let filed = try await report(server, meme, "an “ad” 🐈", token: bob).expect(
        201, lacking: [#""ada"#, "bob", "ad”"])
      #expect(filed["cache-control"] == "no-store")
      try await report(server, "/users/ada", "a bot").expect(201)
      let found = try await queue(server)
      #expect(found.map(\.reason.text) == ["a bot", "an “ad” 🐈"])
      #expect(found.map(\.reporter.username.text) == [nil, "bob"])
      #expect(found.map(\.subject.kind.text) == ["person", "meme"])
      #expect(found[0].subject.username.text == "ada" && found[0].subject.id == .null)
      #expect(found.map(\.subject.author.username.text) == ["ada", "ada"])
      #expect(found[1].subject.id.text.map { "/memes/\($0)" } == meme)
      #expect(found[1].subject.meme.altText.text == "buy this")
      #expect(found[1].id.text == filed.json.id.text)
      #expect(found[1].createdAt.text == filed.json.createdAt.text)
      let thumbnail = try #require(found[1].subject.meme.thumbnail.url.text)
      try await server.get(thumbnail, token: server.adminToken).expect(200)
      let comment = try await server.json(
        "POST", "\(meme)/comments", #"{"text":"cheap watches"}"#, token: bob
      ).expect(201)
      let url = try #require(comment["location"])
      try await report(server, url, "no", token: ada).expect(201)
      let subject = try #require(try await queue(server).first).subject
      #expect(subject.kind.text == "comment" && subject["text"].text == "cheap watches")
      #expect(subject.author.username.text == "bob" && subject.gone.flag == false)
      try await server.delete(url, token: server.adminToken).expect(204)
      #expect(try await queue(server).first?.subject.gone.flag == true)
      try await report(server, url, token: bob).expect(410, problem: "gone")
      let figures = try await server.get("/admin/stats", token: server.adminToken).json
      #expect(figures.openReports.int == 3)
    }
  }

  @Test func `a repeated report by the same person replaces the reason`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      let first = try await report(server, meme, "one", token: bob).expect(201)
      let again = try await report(server, meme, "two", token: bob).expect(200)
      #expect(again.json.id.text == first.json.id.text)
      #expect(again.json.createdAt.text == first.json.createdAt.text)
      try await report(server, meme, "three").expect(201)
      try await report(server, meme, "four").expect(201)
      let cat = try await server.signUp("cat")
      try await report(server, meme, "five", token: cat).expect(201)
      let found = try await queue(server)
      #expect(found.map(\.reason.text) == ["five", "four", "three", "two"])
      #expect(found.allSatisfy { $0.openOnSubject.int == 4 })
      // After a report is closed, the next one is new.
      let id = try #require(first.json.id.text)
      try await server.patch(
        "/admin/reports/\(id)", #"{"status":"dismissed"}"#, token: server.adminToken
      ).expect(200)
      let next = try await report(server, meme, "six", token: bob).expect(201)
      #expect(next.json.id.text != id)
    }
  }

  @Test func `hidden memes, deleted memes and oneself cannot be reported`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      for visibility in ["friends", "private"] {
        let meme = try await server.make(visibility, token: ada)
        for token in [bob, nil] {
          try await report(server, meme, token: token).expect(404, problem: "not-found")
        }
      }
      let open = try await server.make(token: ada)
      try await server.put("/users/bob/block", token: ada).expect(204)
      for target in [open, "/users/ada"] {
        try await report(server, target, token: bob).expect(404, problem: "not-found")
      }
      try await server.delete("/users/bob/block", token: ada).expect(204)
      try await server.delete(open, token: ada).expect(204)
      try await report(server, open, token: bob).expect(410, problem: "gone")
      for target in ["/memes/x", "/users/nobody", "/users/x", "/comments/x"] {
        try await report(server, target, token: bob).expect(404, problem: "not-found")
      }
      try await report(server, "/users/bob", token: bob)
        .expect(422, problem: "invalid-input", fields: ["username oneself"])
      #expect(try await queue(server).isEmpty)
    }
  }

  @Test func `a reason has 1 to 1000 characters`() async throws {
    try await withServer { server in
      _ = try await server.signUp("ada")
      let target = "/users/ada"
      for (reason, code) in [
        ("", "empty"), ("   ", "empty"), (String(repeating: "x", count: 1001), "too-long"),
        (#"\u0000"#, "nul"),
      ] {
        try await report(server, target, reason).expect(422, fields: ["reason \(code)"])
      }
      try await report(server, target, String(repeating: "👨‍👩‍👧‍👦", count: 600)).expect(201)
      try await server.json("POST", "\(target)/reports", #"{"why":1}"#)
        .expect(422, fields: ["reason missing", "why unknown-field"])
      try await server.json("POST", "\(target)/reports", "[]")
        .expect(400, problem: "malformed-request")
    }
  }

  @Test func `a repeated request with its key makes one report`() async throws {
    try await withServer { server in
      _ = try await server.signUp("ada")
      let key = [("Idempotency-Key", "one")]
      let first = try await report(server, "/users/ada", headers: key).expect(201)
      let again = try await report(server, "/users/ada", headers: key).expect(201)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again.response.body == first.response.body)
      try await report(server, "/users/ada", "other", headers: key)
        .expect(422, problem: "idempotency-key-reused")
      #expect(try await queue(server).count == 1)
    }
  }

  @Test func `without anonymous access reports require an account`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      let bob = try await server.signUp("bob")
      _ = try await server.signUp("ada")
      try await report(server, "/users/ada").expect(401, problem: "unauthorized")
      try await report(server, "/users/ada", token: bob).expect(201)
    }
  }

  @Test func `reports are limited per account and per network`() async throws {
    try await withServer({ $0.limitsRates = true }) { server in
      let bob = try await server.signUp("bob")
      for token in [bob, nil] {
        let (answer, passed) = try await server.exhaust(
          .report, "POST", "/users/ada/reports", token: token)
        answer.expect(429, problem: "too-many-requests")
        #expect(passed == Limit.report.rate.burst)
      }
    }
  }
}
