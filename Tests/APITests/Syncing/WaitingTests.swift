import Foundation
import Support
import Testing
import Wire
import mememe

/// Long polls for changes.
struct WaitingTests {
  @Test func `a long poll returns when a change is committed`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let bob = try await server.signUp("bob")
      var cursor = try await server.changes(token: ada).cursor
      var bobs = try await server.changes(token: bob).cursor
      for change in 0..<4 {
        let start = bobs
        // The control waits equally long and began earlier, so it would time out first.
        let control = Task { try await server.changes(since: start, wait: 55, token: bob) }
        try await server.waiters(1)
        let since = cursor
        async let waiting = server.changes(since: since, wait: 55, token: ada)
        try await server.waiters(2)
        let meme = try await server.make(top: "\(change)", token: ada)
        let page = try await waiting
        #expect(page.changes == ["upsert \(meme) 1"])
        try await server.waiters(1)
        _ = try await server.make(token: bob)
        bobs = try await control.value.cursor
        cursor = page.cursor
      }
    }
  }

  @Test func `a wait without changes ends with an empty page and the same cursor`() async throws {
    // The wait is longer than the request timeout.
    try await withServer({ $0.requestTimeoutSeconds = 1 }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let cursor = try await server.changes(token: ada).cursor
      let began = ContinuousClock.now
      async let waiting = server.changes(since: cursor, wait: 3, token: ada)
      // The memes of others are not ada's changes.
      _ = try await server.make(token: bob)
      let page = try await waiting
      #expect(page.changes == [] && page.cursor == cursor && !page.hasMore)
      // A lower bound, which holds on a busy machine too.
      #expect(began.duration(to: .now) >= .seconds(3))
    }
  }

  @Test func `a request does not wait if there are changes`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let bob = try await server.signUp("bob")
      let control = Task { try await server.changes(wait: 55, token: bob) }
      try await server.waiters(1)
      #expect(try await server.changes(wait: 55, token: ada).changes == ["upsert \(meme) 1"])
      // If it had waited, it would have ended after the control, which began earlier.
      try await server.waiters(1)
      _ = try await server.make(token: bob)
      #expect(try await control.value.changes.count == 1)
    }
  }

  @Test func `a stopping server responds to all waiting requests`() async throws {
    var waiting: [Task<SyncedPage, any Error>] = []
    var cursor = ""
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let start = try await server.changes(token: ada).cursor
      waiting = (0..<8).map { _ in
        Task { try await server.changes(since: start, wait: 55, token: ada) }
      }
      try await server.waiters(8)
      cursor = start
    }
    for task in waiting {
      let page = try await task.value
      #expect(page.changes == [] && page.cursor == cursor)
    }
  }

  @Test func `a person's waits are limited, and an ended one frees its slot`() async throws {
    try await withLiveServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let start = try await server.changes(token: ada).cursor
      let clients = try (0..<8).map { _ in try server.connect() }
      for client in clients {
        await client.send(
          """
          GET /memes/changes?wait=55&since=\(start) HTTP/1.1\r\nHost: x\r
          Authorization: Bearer \(ada)\r\n\r\n
          """)
      }
      try await server.waiters(8)
      let path = "/memes/changes?since=\(start)"
      let refused = try await server.get("\(path)&wait=1", token: ada)
        .expect(429, problem: "too-many-requests")
      #expect(refused["retry-after"] == "15")
      // A request without a wait takes no slot, and other people have their own slots.
      try await server.get(path, token: ada).expect(200)
      #expect(try await server.changes(wait: 1, token: bob).changes == [])
      let meme = try await server.make(token: ada)
      for client in clients {
        let page = Answer(try await client.response()).expect(200).json
        #expect(page.changes.elements.map(\.changeText) == ["upsert \(meme) 1"])
      }
      let page = try await server.changes(since: start, wait: 1, token: ada)
      #expect(page.changes == ["upsert \(meme) 1"])
    }
  }

  @Test func `a sign-out ends the wait without changes`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let other = try await server.token("ada")
      let cursor = try await server.changes(token: ada).cursor
      async let signedOut = server.get("/memes/changes?wait=55&since=\(cursor)", token: ada)
      try await server.waiters(1)
      try await server.delete("/sessions/current", token: ada).expect(204)
      try await signedOut.expect(401, problem: "unauthorized")
      async let suspended = server.get("/memes/changes?wait=55&since=\(cursor)", token: other)
      try await server.waiters(1)
      try await server.suspend("ada").expect(204)
      try await suspended.expect(403, problem: "suspended")
    }
  }

  @Test func `the server stops without waiting for a disconnected client`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let cursor = try await server.changes(token: ada).cursor
      do {
        let client = try server.connect()
        await client.send(
          """
          GET /memes/changes?wait=55&since=\(cursor) HTTP/1.1\r\nHost: x\r
          Authorization: Bearer \(ada)\r\n\r\n
          """)
        try await server.waiters(1)
      }
      try await server.waiters(0)
    }
  }
}
