import Foundation
import Memes
import Support
import Synchronization
import Testing
import Wire

/// Access to the event stream: authorization, limits and duration.
struct EventAccessTests {
  @Test func `only accounts can listen, and only from their own cursors`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let bobs = try await server.changes(token: bob).cursor
      func refuse(
        _ status: Int, _ problem: String, token: String?, _ target: String = "/memes/events",
        _ fields: [(String, String)] = [], sourceLocation: SourceLocation = #_sourceLocation
      ) async throws {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        try await server.send("GET", target, headers: authorization + fields)
          .expect(status, problem: problem, sourceLocation: sourceLocation)
      }
      try await refuse(401, "unauthorized", token: nil)
      try await refuse(401, "unauthorized", token: "nobody's")
      try await refuse(403, "forbidden", token: server.adminToken)
      try await refuse(400, "invalid-cursor", token: ada, "/memes/events", [("Last-Event-ID", "1")])
      try await refuse(400, "invalid-cursor", token: ada, "/memes/events?since=1")
      try await refuse(
        410, "cursor-expired", token: ada, "/memes/events", [("Last-Event-ID", bobs)])
      try await refuse(
        406, "not-acceptable", token: ada, "/memes/events", [("Accept", "application/json")])
      try await refuse(422, "invalid-input", token: ada, "/memes/events?limit=1")
      let metrics = try await server.metrics { $0.value("mememe_change_waiters") == 0 }
      #expect(metrics.value("mememe_change_waiters") == 0)
    }
  }

  @Test func `Last-Event-ID takes precedence over the cursor in the URL`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let start = try await server.changes(token: ada).cursor
      let memes = try await ["0", "1"].asyncMap { try await server.make(top: $0, token: ada) }
      let first = try await server.changes(since: start, limit: 1, token: ada).cursor
      let query = "?since=\(start)"
      let client = try await EventClient.listen(to: server, since: "", token: ada, query: query)
      #expect(try await client.next(2) == memes.map { "upsert \($0) 1" })
      let again = try await EventClient.listen(to: server, since: first, token: ada, query: query)
      #expect(try await again.next(1) == ["upsert \(memes[1]) 1"])
    }
  }

  @Test func `HEAD returns the headers of a stream and opens none`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      for _ in 0..<20 {
        let head = try await server.send(
          "HEAD", "/memes/events", headers: [("Authorization", "Bearer \(ada)")]
        ).expect(200)
        #expect(head["content-type"] == "text/event-stream")
      }
      let metrics = try await server.metrics { $0.value("mememe_change_waiters") == 0 }
      #expect(metrics.value("mememe_change_waiters") == 0)
      #expect(metrics.value("mememe_http_streams_open") == 0)
    }
  }

  @Test func `a browser can listen with its cookie`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let signedIn = try await server.signIn(
        "ada", cookie: true, headers: [("Sec-Fetch-Site", "same-origin")]
      ).expect(201)
      let cookie = try #require(signedIn["set-cookie"]?.split(separator: ";").first)
      let client = try await EventClient.listen(to: server, cookie: String(cookie))
      let meme = try await server.make(token: ada)
      #expect(try await client.next()?.text == "upsert \(meme) 1")
    }
  }

  @Test func `a person's streams are limited, and an ended one frees its slot`() async throws {
    try await withLiveServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      var clients: [EventClient] = []
      for _ in 0..<16 { clients.append(try await EventClient.listen(to: server, token: ada)) }
      let refused = try await server.get("/memes/events", token: ada)
        .expect(429, problem: "too-many-requests")
      #expect(refused["retry-after"] == "15")
      let other = try await EventClient.listen(to: server, token: bob)
      let open = try await server.metrics { $0.value("mememe_http_streams_open") == 17 }
      #expect(open.value("mememe_http_streams_open") == 17)
      clients.removeLast().leave()
      _ = try await server.metrics { $0.value("mememe_http_streams_open") == 16 }
      let again = try await EventClient.listen(to: server, token: ada)
      let meme = try await server.make(token: ada)
      for client in clients + [again] {
        #expect(try await client.next()?.text == "upsert \(meme) 1")
      }
      other.leave()
      // Each stream has one log record, with its outcome.
      let log = try server.log.split(separator: "\n").filter { $0.contains("/memes/events") }
      #expect(log.contains { $0.contains("status=200") && $0.contains("outcome=gone") })
    }
  }

  @Test func `signing out ends the stream; other sessions can reconnect`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let other = try await server.token("ada")
      let leaving = try await EventClient.listen(to: server, token: other)
      let staying = try await EventClient.listen(to: server, token: ada)
      try await server.delete("/sessions/current", token: other).expect(204)
      #expect(try await leaving.next() == nil)
      // The person's other streams end too, and their clients reconnect by themselves.
      #expect(try await staying.next() == nil)
      let meme = try await server.make(token: ada)
      let again = try await EventClient.listen(to: server, since: staying.lastID, token: ada)
      #expect(try await again.next()?.text == "upsert \(meme) 1")
      try await server.send(
        "GET", "/memes/events",
        headers: [("Authorization", "Bearer \(other)"), ("Last-Event-ID", leaving.lastID)]
      ).expect(401, problem: "unauthorized")
    }
  }

  @Test func `deleting an access token ends its stream`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let token = try await server.makeToken(["read"], token: ada)
      let listening = try await EventClient.listen(to: server, token: token)
      let id = try await server.get("/users/me/tokens", token: ada).expect(200).json.items[0].id
      try await server.delete("/users/me/tokens/\(id.text ?? "")", token: ada).expect(204)
      #expect(try await listening.next() == nil)
      try await server.get("/memes/events", token: token).expect(401)
    }
  }

  @Test func `a suspended or deleted account receives no further events`() async throws {
    try await withLiveServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let admin = try await server.signUpAdmin()
      let meme = try await server.make(token: ada)
      let suspended = try await EventClient.listen(to: server, token: ada)
      let left = try await EventClient.listen(to: server, token: bob)
      // Through the command line, which does not notify this server.
      let ended = try await ServerProcess.run(
        ["user", "suspend", "ada", "--reason", "x", "--data", server.folder.path])
      #expect(ended.code == 0)
      try await server.patch(meme, #"{"top":"x"}"#, token: admin).expect(200)
      #expect(try await suspended.next() == nil)
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: bob
      ).expect(204)
      #expect(try await left.next() == nil)
    }
  }

  @Test func `an idle stream gets comments until access ends`() async throws {
    try await withLiveServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let suspended = try await EventClient.listen(to: server, token: ada)
      let staying = try await EventClient.listen(to: server, token: bob)
      let ended = try await ServerProcess.run(
        ["user", "suspend", "ada", "--reason", "x", "--data", server.folder.path])
      #expect(ended.code == 0)
      try await staying.comment()
      // Ada's memes do not change: the stream ends when a comment is due.
      #expect(try await suspended.next() == nil && suspended.comments == 0)
      let meme = try await server.make(token: bob)
      #expect(try await staying.next()?.text == "upsert \(meme) 1")
    }
  }

  @Test func `listening counts as use of the session`() async throws {
    let clock = Mutex(Timestamp(millisecondsSince1970: 1_790_000_000_000))
    @Sendable func advance(days: Int64) {
      clock.withLock {
        $0 = Timestamp(millisecondsSince1970: $0.millisecondsSince1970 + days * 86_400_000)
      }
    }
    try await withLiveServer(now: { clock.withLock(\.self) }) { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let client = try await EventClient.listen(to: server, token: ada)
      // Nothing else uses the session for forty days. Unused, it would expire after thirty.
      for version in 2...3 {
        advance(days: 20)
        try await server.patch(meme, #"{"top":"\#(version)"}"#, token: server.adminToken).expect(
          200)
        #expect(try await client.next()?.text == "upsert \(meme) \(version)")
      }
      advance(days: 31)
      try await server.patch(meme, #"{"top":"4"}"#, token: server.adminToken).expect(200)
      #expect(try await client.next() == nil)
    }
  }
}
