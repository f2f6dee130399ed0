import Foundation
import MemeMeClient
import SQL
import SQLite
import Support
import Testing
import Wire

/// Reading, and sync rounds that do not complete.
struct RoundTests {
  typealias Script = LibraryScript

  @Test func `nothing is sent before everything was read once`() async throws {
    try await withLibrary { library, script, server in
      _ = try await library.create(MemeFields(top: "a"), picture: photo)
      let id = Meme.ID()
      script.on(
        "GET /memes/changes",
        Script.page(Script.upsert(Script.meme(id, top: "b")), cursor: "one", hasMore: true),
        Script.problem(503, "overloaded"))
      #expect(await library.failureOfSync() == "overloaded")
      #expect(server.changingCalls == [])
      #expect(Set(try await library.tops()) == ["a", "b"])
      // The page is stored, and reading resumes after it.
      script.on("GET /memes/changes", Script.page(cursor: "two"))
      script.on("POST /memes", Script.problem(422, "invalid-input"))
      try await library.sync()
      let places = server.requests.filter { $0.call == "GET /memes/changes" }.map(\.since)
      #expect(places == [nil, "one", "one", "two"])
    }
  }

  @Test func `stored changes survive the end of the app`() async throws {
    try await withLibraryFolder { folder in
      let script = LibraryScript()
      try await withScript({ script.reply(to: $0) }) { server in
        var library = try MemeLibrary(at: folder, client: server.client())
        let (sent, id) = (Meme.ID(), try await library.create(MemeFields(top: "a"), picture: photo))
        script.on(
          "GET /memes/changes",
          Script.page(Script.upsert(Script.meme(sent, top: "b")), cursor: "one"))
        script.on("POST /memes", Script.lost)
        #expect(await library.failureOfSync() != "none")
        try await library.edit(sent, MemeEdit(top: "c"))
        await library.close()
        library = try MemeLibrary(at: folder, client: server.client())
        #expect(Set(try await library.states()) == ["a: waiting", "c: waiting"])
        script.on("POST /memes", Script.made(Script.meme(id, top: "a")))
        script.on("PATCH /memes/ID", Script.ok(Script.meme(sent, version: 2, top: "c")))
        try await library.sync()
        let posts = server.changes.filter { $0.call == "POST /memes" }
        #expect(Set(posts.map { $0.headers["idempotency-key"] }).count == 1)
        #expect(
          server.requests.filter { $0.call == "GET /memes/changes" }.map(\.since).contains("one"))
        #expect(try await library.waitingCount() == 0)
        await library.close()
      }
    }
  }

  @Test func `only the user can read the files of a library, also in a folder of others`()
    async throws
  {
    try await withLibraryFolder { folder in
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      let database = folder.appending(path: "library.db").path
      // The database of an earlier version.
      #expect(
        FileManager.default.createFile(
          atPath: database, contents: nil, attributes: [.posixPermissions: 0o644]))
      let library = try MemeLibrary(at: folder, client: MemeMeClient(URL(filePath: "/")))
      _ = try await library.create(MemeFields(top: "a"), picture: photo)
      for suffix in ["", "-wal", "-shm"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: database + suffix)
        #expect(attributes[.posixPermissions] as? Int == 0o600, "library.db\(suffix)")
      }
      await library.close()
    }
  }

  @Test func `a second library on the same folder is rejected`() async throws {
    try await withLibraryFolder { folder in
      let client = MemeMeClient(URL(filePath: "/"))
      let library = try MemeLibrary(at: folder, client: client)
      #expect(throws: LibraryError.inUse(processID: getpid())) {
        try MemeLibrary(at: folder, client: client)
      }
      await library.close()
    }
    try await withLibraryFolder { folder in
      try Data("a file".utf8).write(to: folder)
      #expect {
        try MemeLibrary(at: folder, client: MemeMeClient(URL(filePath: "/")))
      } throws: { error in
        if case .unusable? = error as? LibraryError { true } else { false }
      }
    }
  }

  @Test func `an expired cursor starts over, and missing memes are removed`() async throws {
    try await withLibrary { library, script, server in
      let (stays, goes, edited) = (Meme.ID(), Meme.ID(), Meme.ID())
      script.on(
        "GET /memes/changes",
        Script.page(
          Script.upsert(Script.meme(stays, version: 5, top: "stays")),
          Script.upsert(Script.meme(goes, top: "goes")),
          Script.upsert(Script.meme(edited, top: "x")), cursor: "old"))
      try await library.sync()
      let uncertain = try await library.create(MemeFields(top: "uncertain"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      let new = try await library.create(MemeFields(top: "new"), picture: photo)
      try await library.edit(edited, MemeEdit(top: "mine"))
      try await library.edit(stays, MemeEdit(bottom: "mine"))
      script.on(
        "GET /memes/changes", Script.problem(410, "cursor-expired"),
        // From an older copy of the database, so the version is lower.
        Script.page(
          Script.upsert(Script.meme(stays, version: 4, top: "stayed")), cursor: "one", hasMore: true
        ),
        Script.problem(503, "overloaded"))
      #expect(await library.failureOfSync() == "overloaded")
      // Memes read earlier stay until everything is read.
      #expect(
        Set(try await library.tops()) == ["stayed", "goes", "mine", "uncertain", "new"])
      script.on("GET /memes/changes", Script.page(cursor: "two"))
      script.on("POST /memes", Script.made(Script.meme(new, top: "new")))
      script.on(
        "PATCH /memes/ID",
        Script.conflict(Script.meme(stays, version: 4, top: "stayed", bottom: "b")))
      try await library.sync()
      #expect(
        Set(try await library.states()) == ["stayed: draft", "uncertain: draft", "new: sent"])
      #expect(
        Set(try await library.reasons()) == [.uncertain, .deletedElsewhere, .changedElsewhere])
      let posts = server.changes.filter { $0.call == "POST /memes" }.map { $0.field("id") }
      #expect(posts == ["\(uncertain)", "\(new)"])
      // The meme was created after all.
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(Script.meme(uncertain, top: "uncertain"))))
      try await library.sync()
      #expect(
        Set(try await library.states()) == ["stayed: draft", "uncertain: sent", "new: sent"])
    }
  }

  @Test func `members that an earlier version did not know are read once`() async throws {
    try await withLibraryFolder { folder in
      let script = LibraryScript()
      try await withScript({ script.reply(to: $0) }) { server in
        let id = Meme.ID()
        script.on(
          "GET /memes/changes",
          Script.page(Script.upsert(Script.meme(id, top: "earlier")), cursor: "one"))
        var library = try MemeLibrary(at: folder, client: server.client())
        try await library.sync()
        await library.close()
        try ClosedDatabase.edit(folder.appending(path: "library.db").path) { db in
          _ = try db.run("UPDATE library SET member_sets = 0")
        }
        library = try MemeLibrary(at: folder, client: server.client())
        // The outcome of this creation must be known first.
        let new = try await library.create(MemeFields(top: "new"), picture: photo)
        script.on("GET /memes/changes", Script.page(cursor: "two"))
        script.on("POST /memes", Script.lost)
        #expect(await library.failureOfSync() != "none")
        script.on(
          "GET /memes/changes", Script.page(cursor: "three"), Script.page(cursor: "four"),
          Script.page(
            Script.upsert(Script.meme(new, top: "new")),
            Script.upsert(Script.meme(id, top: "whole")), cursor: "five"))
        try await library.sync()
        try await library.sync()
        #expect(
          server.requests.filter { $0.call == "GET /memes/changes" }.map(\.since) == [
            nil, "one", "two", "three", nil, "five",
          ])
        #expect(Set(try await library.tops()) == ["new", "whole"])
        await library.close()
      }
    }
  }

  @Test func `a server that rejects its own cursors is asked a few times in a round`() async throws
  {
    try await withLibrary { library, script, server in
      for cursor in ["a", "b", "c", "d"] {
        script.on(
          "GET /memes/changes", Script.page(cursor: cursor, hasMore: true),
          Script.problem(410, "cursor-expired"))
      }
      #expect(await library.failureOfSync() != "none")
      #expect(server.requests.count { $0.call == "GET /memes/changes" } == 6)
    }
  }

  @Test(arguments: [false, true])
  func `the meme of a deleted draft is deleted if it turns up after all`(
    isDiscarded: Bool
  ) async throws {
    try await withLibrary { library, script, server in
      script.on("GET /memes/changes", Script.page(cursor: "old"))
      try await library.sync()
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      script.on(
        "GET /memes/changes", Script.problem(410, "cursor-expired"), Script.page(cursor: "new"))
      try await library.sync()
      #expect(try await library.reasons() == [.uncertain])
      if isDiscarded {
        try await library.discard(try #require(try await library.drafts().first?.id))
      } else {
        try await library.delete(id)
      }
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: "a"))))
      script.on("DELETE /memes/ID", Script.done)
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "DELETE /memes/ID"])
      #expect(try await library.table().isEmpty)
    }
  }

  @Test func `an applied draft makes one meme, also if its first creation turns up`() async throws {
    try await withLibrary { library, script, server in
      script.on("GET /memes/changes", Script.page(cursor: "old"))
      try await library.sync()
      let first = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      script.on(
        "GET /memes/changes", Script.problem(410, "cursor-expired"), Script.page(cursor: "new"))
      try await library.sync()
      #expect(try await library.reasons() == [.uncertain])
      let second = try await library.apply(try #require(try await library.drafts().first?.id))
      #expect(second != first)
      try await library.sync()
      #expect(server.changes.last?.field("id") == "\(second)")
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(first, top: "a"))))
      script.on("DELETE /memes/ID", Script.done)
      try await library.sync()
      #expect(server.changes.last?.method == "DELETE")
      #expect(server.changes.last?.target == "/memes/\(first)")
      #expect(try await library.table().map(\.id) == [second])
    }
  }

  @Test func `without a session everything is kept until the next sign-in`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.problem(401, "unauthorized"))
      await #expect(throws: LibraryError.signInNeeded) { try await library.sync() }
      #expect(try await library.states() == ["a: waiting"])
      library.client = library.client.authorized(by: Token("another"))
      script.on("POST /memes", Script.made(Script.meme(id, top: "a")))
      try await library.sync()
      #expect(server.changes.last?.headers["authorization"] == "Bearer another")
      #expect(try await library.states() == ["a: sent"])
    }
  }

  @Test func `another person's session sends nothing`() async throws {
    try await withLibrary { library, script, server in
      try await library.sync()
      #expect(try await library.owner() == "grumpy_cat")
      _ = try await library.create(picture: photo)
      library.client = library.client.authorized(by: Token("another"))
      script.on(
        "GET /users/me", Script.ok(LibraryScript.user("happy_cat")),
        // The same name, registered by another person.
        Script.ok(LibraryScript.user("grumpy_cat", createdAt: "2026-05-02T03:04:05.678Z")))
      await #expect(throws: LibraryError.otherPerson(owner: "grumpy_cat", signedIn: "happy_cat")) {
        try await library.sync()
      }
      await #expect(throws: LibraryError.otherPerson(owner: "grumpy_cat", signedIn: "grumpy_cat")) {
        try await library.sync()
      }
      #expect(server.changingCalls == [])
      // Signing out removes everything.
      script.on("DELETE /sessions/current", Script.done)
      try await library.signOut()
      #expect(try await library.table().isEmpty)
      #expect(try await library.owner() == nil)
      #expect(library.client.token == nil)
    }
  }

  @Test func `a failed meme does not hold up the others`() async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b", "c"] {
        _ = try await library.create(MemeFields(top: top), picture: photo)
      }
      let ids = try await library.table().map(\.id).reversed() as [Meme.ID]
      script.on(
        "POST /memes", Script.problem(500, "internal-error"), Script.lost,
        Script.made(Script.meme(ids[2], top: "c")))
      #expect(await library.failureOfSync() == "internal-error")
      #expect(Set(try await library.states()) == ["a: waiting", "b: waiting", "c: sent"])
      #expect(server.changes.map { $0.field("top") } == ["a", "b", "c"])
    }
  }

  @Test(arguments: [(429, "too-many-requests"), (503, "overloaded"), (507, "storage-full")])
  func `a busy server ends the round`(status: Int, code: String) async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b"] { _ = try await library.create(MemeFields(top: top), picture: photo) }
      script.on("POST /memes", Script.problem(status, code, headers: ["Retry-After: 7"]))
      do {
        try await library.sync()
        Issue.record("There is no error.")
      } catch let error as MemeMeError { #expect(error.retryAfter == .seconds(7)) }
      #expect(server.changes.count == 1)
      #expect(try await library.waitingCount() == 2)
    }
  }

  @Test(arguments: ["suspended", "insufficient-scope"])
  func `a suspended account and a token without the scope keep everything`(
    code: String
  ) async throws {
    try await withLibrary { library, script, server in
      for top in ["a", "b"] { _ = try await library.create(MemeFields(top: top), picture: photo) }
      script.on("POST /memes", Script.problem(403, code))
      #expect(await library.failureOfSync() == code)
      #expect(server.changes.count == 1)
      #expect(Set(try await library.states()) == ["a: waiting", "b: waiting"])
    }
  }
}

extension ScriptedServer.Request {
  /// The cursor in a request for changes.
  var since: String? {
    URLComponents(string: target)?.queryItems?.first { $0.name == "since" }?.value
  }
}
