import Eventually
import Foundation
import Testing
import Wire

@testable import MemeMeClient

/// Continuous syncing.
struct RunningTests {
  typealias Script = LibraryScript

  /// Runs the library while `body` runs.
  private func running(
    _ library: MemeLibrary, _ body: () async throws -> Void
  ) async throws {
    let task = Task { await library.run() }
    do { try await body() } catch {
      task.cancel()
      await task.value
      throw error
    }
    task.cancel()
    await task.value
    #expect(library.status == .idle)
  }

  private func until(_ isSo: () async throws -> Bool) async throws {
    try await eventually("the library is as expected", isSo)
  }

  @Test func `a local change is sent at once, and a remote one is received`() async throws {
    try await withLibrary { library, script, server in
      // The library reads and then waits. The local change ends the wait.
      script.on("GET /memes/changes", Script.page(), .silence)
      try await running(library) {
        try await until { server.requests.count { $0.call == "GET /memes/changes" } == 2 }
        let poll = try #require(server.requests.last { $0.call == "GET /memes/changes" })
        #expect(poll.target.contains("wait=50"))
        let other = Meme.ID()
        script.on(
          "GET /memes/changes", Script.page(), Script.page(),
          Script.page(Script.upsert(Script.meme(other, top: "theirs"))), Script.page(), .silence)
        _ = try await library.create(MemeFields(top: "mine"), picture: photo)
        try await until { try await library.waitingCount() == 0 }
        try await until { try await library.tops().contains("theirs") }
        try await until { library.status == .upToDate }
      }
    }
  }

  @Test func `after a failure the library waits, and a local change makes it retry`() async throws {
    try await withLibrary { library, script, server in
      script.on("GET /users/me", Script.lost, Script.lost)
      try await running(library) {
        try await until { if case .waiting = library.status { true } else { false } }
        _ = try await library.create(MemeFields(top: "a"), picture: photo)
        library.hurry()
        script.on("POST /memes", Script.problem(401, "unauthorized"))
        try await until { library.status == .signInNeeded }
        #expect(try await library.states() == ["a: waiting"])
        script.on("POST /memes", Script.problem(422, "invalid-input"))
        library.client = library.client.authorized(by: Token("another"))
        try await until { try await library.states() == ["a: failed invalid-input"] }
      }
      #expect(server.changes.count == 2)
    }
  }

  @Test func `local changes do not shorten a Retry-After wait`() async throws {
    try await withLibrary { library, script, server in
      script.on(
        "GET /memes/changes",
        Script.problem(503, "overloaded", headers: ["Retry-After: 600"]))
      try await running(library) {
        try await until { if case .waiting = library.status { true } else { false } }
        guard case .waiting(let time, _) = library.status else { return }
        #expect(time.timeIntervalSinceNow > 500)
        let count = server.requests.count
        _ = try await library.create(picture: photo)
        library.hurry()
        try await Task.sleep(for: .milliseconds(200))
        #expect(server.requests.count == count)
      }
    }
  }

  @Test func `a refused long poll does not hold up local changes`() async throws {
    try await withLibrary { library, script, server in
      script.on(
        "GET /memes/changes", Script.page(),
        Script.problem(429, "too-many-requests", headers: ["Retry-After: 600"]))
      try await running(library) {
        try await until { server.requests.count { $0.call == "GET /memes/changes" } == 2 }
        try await Task.sleep(for: .milliseconds(200))
        #expect(library.status == .upToDate)
        _ = try await library.create(MemeFields(top: "a"), picture: photo)
        try await until { try await library.states() == ["a: sent"] }
      }
    }
  }

  @Test func `a meme whose response comes after a restart stays only if the pages have it`()
    async throws
  {
    try await withLibraryFolder { folder in
      let store = try LibraryStore(folder: LibraryFolder(folder)) { .now }
      func read(_ changes: [MemeChange], _ cursor: String) async throws {
        let page = ChangePage(changes: changes, cursor: Cursor(cursor), hasMore: false)
        _ = try await store.take(page, at: try store.place())
      }
      try await read([], "a")
      var sent: [OutboxEntry] = []
      for top in ["gone", "there"] {
        _ = try await store.create(MemeEdit(top: top), picture: photo)
        sent.append(try #require(try await store.next(but: Set(sent.map(\.meme)))).entry)
      }
      // A long poll finds out that the cursor has expired, while the creations are being sent.
      try await store.beginAgain(insteadOf: Cursor("a"))
      var made: [Meme] = []
      for entry in sent {
        let json = Script.meme(entry.meme, top: entry.content?.top.value ?? "")
        made.append(try JSONDecoder.mememe.decode(Meme.self, from: Data(json.utf8)))
        try await store.settle(entry, .created(made[made.count - 1]))
      }
      try await read([.upsert(made[1])], "b")
      let view = LibraryView(thumbnail: .table, progress: [:])
      #expect(try store.items(view, limit: 10, after: nil).map(\.top) == ["there"])
      await store.close()
    }
  }

  @Test func `pauses grow and have jitter`() {
    var (longest, shortest) = (Backoff(random: { 0 }), Backoff(random: { 0.999_999 }))
    let pauses = (0..<12).map { _ in longest.next() }
    #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(pauses.last == .seconds(300))
    #expect(shortest.next() > .milliseconds(499))
    longest.reset()
    #expect(longest.next() == .seconds(1))
  }
}
