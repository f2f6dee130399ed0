import Support
import Testing

/// The report queue of the admins.
struct ReportQueueTests {
  private func report(
    _ server: TestServer, _ target: String, _ reason: String, token: String? = nil
  ) async throws -> String {
    let answer = try await server.json(
      "POST", "\(target)/reports", #"{"reason":"\#(reason)"}"#, token: token)
    return try #require(answer.expect(201).json.id.text)
  }

  private func decide(
    _ server: TestServer, _ id: String, _ json: String, token: String? = nil
  ) async throws -> Answer {
    try await server.patch("/admin/reports/\(id)", json, token: token ?? server.adminToken)
  }

  private func reasons(_ server: TestServer, _ status: String) async throws -> [String] {
    var (found, next): ([String], String?) = ([], "/admin/reports?status=\(status)&limit=2")
    while let target = next {
      let page = try await server.get(target, token: server.adminToken).expect(200)
      found += page.json.items.elements.compactMap(\.reason.text)
      next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(String.init)
    }
    return found
  }

  @Test func `a report can be resolved, dismissed and reopened, and each act is audited`()
    async throws
  {
    try await withServer { server in
      _ = try await server.signUp("eve")
      let admin = try await server.signUpAdmin("ada")
      var ids: [String] = []
      for number in 0..<5 { ids.append(try await report(server, "/users/eve", "\(number)")) }
      #expect(try await reasons(server, "open") == ["4", "3", "2", "1", "0"])

      let closed = try await decide(
        server, ids[1], #"{"status":"resolved","note":"talked to her"}"#, token: admin
      ).expect(200).json
      #expect(closed.status.text == "resolved" && closed.note.text == "talked to her")
      #expect(closed.closedBy.kind.text == "person" && closed.closedBy.username.text == "ada")
      #expect(closed.closedAt.text != nil && closed.openOnSubject.int == 4)
      // The same decision again changes nothing and is not audited.
      try await decide(server, ids[1], #"{"status":"resolved"}"#).expect(200)
      let dismissed = try await decide(server, ids[3], #"{"status":"dismissed"}"#).expect(200).json
      #expect(dismissed.closedBy.kind.text == "token" && dismissed.note == .null)
      #expect(try await reasons(server, "open") == ["4", "2", "0"])
      #expect(try await reasons(server, "resolved") == ["1"])
      #expect(try await reasons(server, "dismissed") == ["3"])

      let open = try await decide(server, ids[1], #"{"status":"open","all":true}"#).expect(200).json
      #expect(open.closedAt == .null && open.closedBy == .null)
      #expect(open.note.text == "talked to her")
      #expect(try await reasons(server, "open") == ["4", "2", "1", "0"])
      let all = try await decide(
        server, ids[1], #"{"status":"resolved","note":null,"all":true}"#
      ).expect(200).json
      #expect(all.openOnSubject.int == 0 && all.note == .null)
      #expect(try await reasons(server, "open").isEmpty)
      #expect(try await reasons(server, "resolved") == ["4", "2", "1", "0"])
      #expect(try await reasons(server, "dismissed") == ["3"])
      #expect(
        try await server.acts() == [
          "token resolve-report \(ids[1])", "token reopen-report \(ids[1])",
          "token dismiss-report \(ids[3])", "ada resolve-report \(ids[1])",
          "command change-role ada",
        ])
      let details = try await server.get("/admin/audit", token: server.adminToken).json.items
      #expect(details[0].details.count.int == 4)
      #expect(details[3].details.note.text == "talked to her")
    }
  }

  @Test func `a reopened report keeps its reason if its reporter reports again`() async throws {
    try await withServer { server in
      _ = try await server.signUp("eve")
      let bob = try await server.signUp("bob")
      let first = try await report(server, "/users/eve", "first", token: bob)
      try await decide(server, first, #"{"status":"dismissed"}"#).expect(200)
      _ = try await report(server, "/users/eve", "second", token: bob)
      try await decide(server, first, #"{"status":"open"}"#).expect(200)
      try await server.json("POST", "/users/eve/reports", #"{"reason":"third"}"#, token: bob)
        .expect(200)
      #expect(try await reasons(server, "open") == ["third", "first"])
    }
  }

  @Test func `the other reports keep their notes, unless the decision has one`() async throws {
    try await withServer { server in
      _ = try await server.signUp("eve")
      var ids: [String] = []
      for number in 0..<3 { ids.append(try await report(server, "/users/eve", "\(number)")) }
      func notes(_ status: String) async throws -> [String?] {
        try await server.get("/admin/reports?status=\(status)", token: server.adminToken)
          .expect(200).json.items.elements.map(\.note.text)
      }
      try await decide(server, ids[1], #"{"status":"open","note":"case 77"}"#).expect(200)
      try await decide(server, ids[0], #"{"status":"resolved","note":"talked"}"#).expect(200)
      try await decide(server, ids[0], #"{"status":"dismissed","all":true}"#).expect(200)
      #expect(try await notes("dismissed") == [nil, "case 77", "talked"])
      for id in ids { try await decide(server, id, #"{"status":"open"}"#).expect(200) }
      try await decide(server, ids[2], #"{"status":"resolved","note":"done","all":true}"#)
        .expect(200)
      #expect(try await notes("resolved") == ["done", "done", "done"])
      for id in ids { try await decide(server, id, #"{"status":"open"}"#).expect(200) }
      try await decide(server, ids[0], #"{"status":"resolved","note":null,"all":true}"#).expect(200)
      #expect(try await notes("resolved") == [nil, nil, nil])
    }
  }

  @Test func `invalid decisions are rejected`() async throws {
    try await withServer { server in
      _ = try await server.signUp("eve")
      let id = try await report(server, "/users/eve", "x")
      try await decide(server, id, "{}").expect(422, fields: ["status missing"])
      try await decide(server, id, #"{"status":"done","note":1,"all":2,"act":"x"}"#).expect(
        422,
        fields: ["status not-allowed", "note not-a-text", "all not-a-flag", "act unknown-field"])
      let long = String(repeating: "x", count: 1001)
      try await decide(server, id, #"{"status":"resolved","note":"\#(long)"}"#)
        .expect(422, fields: ["note too-long"])
      for unknown in ["x", "01234567-89ab-7def-8123-456789abcdef"] {
        try await decide(server, unknown, #"{"status":"resolved"}"#)
          .expect(404, problem: "not-found")
      }
      try await server.get("/admin/reports?status=all&limit=0", token: server.adminToken)
        .expect(422, fields: ["status not-allowed", "limit out-of-range"])
      try await server.get("/admin/reports?cursor=x", token: server.adminToken)
        .expect(400, problem: "invalid-cursor")
      #expect(try await server.acts().isEmpty)
    }
  }

  @Test func `a report outlives its subject and its reporter`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      _ = try await report(server, meme, "meme", token: bob)
      _ = try await report(server, "/users/ada", "person", token: bob)
      try await server.delete(meme, token: ada).expect(204)
      func queue() async throws -> [JSON] {
        try await server.get("/admin/reports", token: server.adminToken).expect(200).json.items
          .elements
      }
      #expect(try await queue().map(\.subject.gone.flag) == [false, true])
      try await server.restore(meme, token: ada).expect(200)
      #expect(try await queue().map(\.subject.gone.flag) == [false, false])
      for token in [ada, bob] {
        try await server.json(
          "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: token
        ).expect(204)
      }
      let left = try await queue()
      #expect(left.map(\.subject.gone.flag) == [true, true])
      #expect(left.map(\.subject.author) == [.null, .null])
      #expect(left.map(\.reporter) == [.null, .null])
      #expect(left[0].subject.username.text == "ada")
      #expect(left[1].subject.id.text.map { "/memes/\($0)" } == meme)
      // A new account with the same name is not the reported one.
      _ = try await server.signUp("ada")
      #expect(try await queue()[0].subject.gone.flag == true)
    }
  }
}
