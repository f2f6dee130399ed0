import Foundation
import Support
import Testing
import Wire
import mememe

/// Answers that come when something changes.
struct WaitingTests {
  @Test func `who waits is answered when something is committed`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let bob = try await server.signUp("bob")
      var cursor = try await server.changes(token: ada).cursor
      var bobs = try await server.changes(token: bob).cursor
      for change in 0..<4 {
        let start = bobs
        // Waits as long and began earlier, so its time would be up first.
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

  @Test func `a wait that nothing comes in ends with an empty page and the same cursor`()
    async throws
  {
    // Longer than a request may take.
    try await withServer({ $0.requestTimeoutSeconds = 1 }) { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let cursor = try await server.changes(token: ada).cursor
      let began = ContinuousClock.now
      async let waiting = server.changes(since: cursor, wait: 3, token: ada)
      // Others' memes are none of Ada's.
      _ = try await server.make(token: bob)
      let page = try await waiting
      #expect(page.changes == [] && page.cursor == cursor && !page.hasMore)
      // A lower bound, which no busy machine can break.
      #expect(began.duration(to: .now) >= .seconds(3))
    }
  }

  @Test func `there is no wait where there is something`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let bob = try await server.signUp("bob")
      let control = Task { try await server.changes(wait: 55, token: bob) }
      try await server.waiters(1)
      #expect(try await server.changes(wait: 55, token: ada).changes == ["upsert \(meme) 1"])
      // One that waited would have ended after the control, which began earlier.
      try await server.waiters(1)
      _ = try await server.make(token: bob)
      #expect(try await control.value.changes.count == 1)
    }
  }

  @Test func `a server that stops answers all who wait`() async throws {
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

  @Test func `one person waits so many times, and again when one wait is over`() async throws {
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
      // Who asks without waiting holds nothing, and others have their own.
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

  @Test func `who signs out waits no more, and learns nothing`() async throws {
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

  @Test func `a client that goes away is not waited for`() async throws {
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
