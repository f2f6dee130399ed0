import Foundation
import MemeMeClient
import Testing
import Wire

/// Memes created offline, on their way to the server.
struct CreationTests {
  typealias Script = LibraryScript

  @Test func `a new meme is listed at once and sent with its own id and key`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "so it begins"), picture: photo)
      #expect(try await library.states() == ["so it begins: waiting"])
      #expect(try await library.image(of: id) == .original(photo))
      script.on("POST /memes", Script.made(Script.meme(id, top: "so it begins")))
      let report = try await library.sync()
      #expect(report.received == 0 && report.sent == 1)
      let request = try #require(server.changes.first)
      #expect(request.field("id") == "\(id)" && request.field("top") == "so it begins")
      #expect(request.text.contains("a photo") && request.headers["idempotency-key"] != nil)
      #expect(try await library.states() == ["so it begins: sent"])
      #expect(try await library.waitingCount() == 0)
    }
  }

  @Test func `a meme over the quota becomes a draft, and the next one is sent`() async throws {
    try await withLibrary { library, script, server in
      try await library.create(MemeFields(top: "a"), picture: photo)
      let second = try await library.create(MemeFields(top: "b"), picture: photo)
      script.on(
        "POST /memes", Script.problem(507, "quota-exceeded"),
        Script.made(Script.meme(second, top: "b")))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      guard case .refused(let refusal) = draft.reason else {
        Issue.record("\(draft.reason)")
        return
      }
      #expect(refusal.code == .quotaExceeded && draft.content == MemeEdit(top: "a"))
      #expect(server.changingCalls == ["POST /memes", "POST /memes"])
    }
  }

  @Test func `an edit of an unsent meme changes its creation`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a", bottom: "b"), picture: photo)
      try await library.edit(id, MemeEdit(top: "c"))
      script.on("POST /memes", Script.made(Script.meme(id, top: "c", bottom: "b")))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      #expect(server.changes.first?.field("top") == "c")
      #expect(server.changes.first?.field("bottom") == "b")
    }
  }

  @Test func `deleting an unsent meme sends nothing`() async throws {
    try await withLibrary { library, _, server in
      let id = try await library.create(picture: photo)
      try await library.delete(id)
      #expect(try await library.table().isEmpty)
      try await library.sync()
      #expect(server.changingCalls == [])
      await #expect(throws: LibraryError.noSuchMeme) { try await library.delete(id) }
      await #expect(throws: LibraryError.noSuchMeme) {
        try await library.edit(id, MemeEdit(top: "x"))
      }
      await #expect(throws: LibraryError.noSuchMeme) { try await library.image(of: id) }
    }
  }

  @Test func `a lost response repeats the same request`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost, Script.made(Script.meme(id, top: "a")))
      #expect(await library.failureOfSync() != "none")
      try await library.edit(id, MemeEdit(top: "b"))
      #expect(try await library.states() == ["b: waiting"])
      script.on("PATCH /memes/ID", Script.ok(Script.meme(id, version: 2, top: "b")))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "POST /memes", "PATCH /memes/ID"])
      let (first, second) = (server.changes[0], server.changes[1])
      #expect(first.headers["idempotency-key"] == second.headers["idempotency-key"])
      #expect(second.field("id") == "\(id)" && second.field("top") == "a")
      #expect(server.changes[2].headers["if-match"] == "\"1\"")
      #expect(try await library.states() == ["b: sent"])
    }
  }

  @Test func `a creation is not repeated if the changes list the meme`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: "a"))))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      #expect(try await library.states() == ["a: sent"])
    }
  }

  @Test func `an edit after a lost response applies only to the version that was created`()
    async throws
  {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      try await library.edit(id, MemeEdit(top: "b"))
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(Script.meme(id, version: 2, top: "c"))))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      #expect(try await library.states() == ["c: draft"])
      #expect(try await library.reasons() == [.changedElsewhere])
    }
  }

  @Test func `a meme deleted elsewhere does not come back`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost, Script.problem(410, "gone"))
      #expect(await library.failureOfSync() != "none")
      try await library.sync()
      #expect(try await library.table().isEmpty)
      #expect(try await library.drafts().isEmpty)
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "POST /memes"])
      await #expect(throws: LibraryError.noSuchMeme) { try await library.meme(id) }
    }
  }

  @Test func `a deletion in the changes ends a creation without a response`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      script.on("GET /memes/changes", Script.page(Script.deletion(id)))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      #expect(try await library.table().isEmpty)
      #expect(try await library.drafts().isEmpty)
    }
  }

  @Test func `later edits of a meme deleted elsewhere become a draft`() async throws {
    try await withLibrary { library, script, server in
      let id = try await draftOfDeleted(by: MemeEdit(top: "c"), in: library, script)
      let draft = try #require(try await library.drafts().first)
      #expect(draft.reason == .deletedElsewhere && draft.kind == .creation)
      #expect(draft.content == MemeEdit(top: "c", bottom: "b"))
      #expect(server.changingCalls == ["POST /memes"])
      // The draft has the picture, so it can become another meme.
      let new = try await library.apply(draft.id)
      #expect(new != id)
      script.on("POST /memes", Script.made(Script.meme(new, top: "c", bottom: "b")))
      try await library.sync()
      let (first, second) = (server.changes[0], try #require(server.changes.last))
      #expect(second.field("id") == "\(new)" && second.text.contains("a photo"))
      #expect(first.headers["idempotency-key"] != second.headers["idempotency-key"])
    }
  }

  @Test func `a draft can be edited and stays a draft`() async throws {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a", bottom: "b"), picture: photo)
      script.on("POST /memes", Script.problem(422, "invalid-input"))
      try await library.sync()
      try await library.edit(id, MemeEdit(top: "c"))
      var edit = MemeEdit()
      edit.bottom = .reset
      try await library.edit(id, edit)
      #expect(try await library.table().map(\.top) == ["c"])
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes"])
      let draft = try #require(try await library.drafts().first)
      #expect(draft.kind == .creation && draft.content.top == .set("c"))
      #expect(draft.content.bottom == .reset)
      try await library.discard(draft.id)
      await #expect(throws: LibraryError.noSuchMeme) {
        try await library.edit(id, MemeEdit(top: "d"))
      }
    }
  }

  @Test func `edits of a draft are kept if its meme is restored`() async throws {
    try await withLibrary { library, script, _ in
      let id = try await draftOfDeleted(by: MemeEdit(bottom: "mine"), in: library, script)
      try await library.edit(id, MemeEdit(top: "c"))
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: "a", bottom: "b"))))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      #expect(draft.kind == .edit && draft.content == MemeEdit(top: "c", bottom: "mine"))
    }
  }

  @Test(arguments: [(404, "not-found"), (412, "precondition-failed")])
  func `an unexpected error fails the creation, and the next one is sent`(
    status: Int, code: String
  ) async throws {
    try await withLibrary { library, script, server in
      try await library.create(MemeFields(top: "a"), picture: photo)
      try await library.create(MemeFields(top: "b"), picture: photo)
      script.on("POST /memes", Script.problem(status, code))
      try await library.sync()
      #expect(try await library.states().sorted() == ["a: failed \(code)", "b: sent"])
      #expect(server.changingCalls == ["POST /memes", "POST /memes"])
    }
  }

  @Test func `the draft of a restored meme can be applied as an edit`() async throws {
    try await withLibrary { library, script, server in
      let id = try await draftOfDeleted(by: MemeEdit(top: "c"), in: library, script)
      // The meme was restored elsewhere, and then changed in another way.
      let restored = Script.meme(id, version: 2, top: "a", bottom: "theirs")
      script.on("GET /memes/changes", Script.page(Script.upsert(restored)))
      try await library.sync()
      #expect(try await library.states() == ["a: draft"])
      let draft = try #require(try await library.drafts().first)
      #expect(draft.kind == .edit && draft.reason == .changedElsewhere)
      #expect(draft.content == MemeEdit(top: "c"))
      try await library.apply(draft.id)
      script.on(
        "PATCH /memes/ID", Script.ok(Script.meme(id, version: 3, top: "c", bottom: "theirs")))
      try await library.sync()
      #expect(server.changes.last?.text == #"{"top":"c"}"#)
      #expect(server.changes.last?.headers["if-match"] == "\"2\"")
      #expect(try await library.states() == ["c: sent"])
      #expect(try await library.drafts().isEmpty)
    }
  }

  @Test(arguments: ["c", "a"])
  func `a draft is removed if the server has its meme and content`(
    top: String
  ) async throws {
    try await withLibrary { library, script, _ in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      if top == "c" { try await library.edit(id, MemeEdit(top: top)) }
      // The library reads everything from the server again, and the meme is not there yet.
      script.on("GET /memes/changes", Script.problem(410, "cursor-expired"), Script.page())
      try await library.sync()
      #expect(try await library.reasons() == [.uncertain])
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: top))))
      try await library.sync()
      #expect(try await library.states() == ["\(top): sent"])
      #expect(try await library.drafts().isEmpty)
    }
  }

  @Test(arguments: [
    (422, "invalid-input"), (413, "content-too-large"), (415, "unsupported-picture"),
    (409, "id-taken"), (422, "idempotency-key-reused"), (403, "forbidden"),
  ])
  func `a rejected meme is kept with the reason, and others are sent`(status: Int, code: String)
    async throws
  {
    try await withLibrary { library, script, server in
      let refused = try await library.create(MemeFields(top: "a"), picture: photo)
      let other = try await library.create(MemeFields(top: "b"), picture: photo)
      script.on(
        "POST /memes", Script.problem(status, code), Script.made(Script.meme(other, top: "b")))
      try await library.sync()
      #expect(Set(try await library.states()) == ["a: failed \(code)", "b: sent"])
      #expect(try await library.image(of: refused) == .original(photo))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "POST /memes"])
      let draft = try #require(try await library.drafts().first)
      try await library.discard(draft.id)
      #expect(try await library.states() == ["b: sent"])
      await #expect(throws: LibraryError.noSuchDraft) { try await library.discard(draft.id) }
      await #expect(throws: LibraryError.noSuchMeme) { try await library.image(of: refused) }
    }
  }

  @Test func `of a proxy's errors only 413 fails a creation`() async throws {
    try await withLibrary { library, script, _ in
      _ = try await library.create(MemeFields(top: "a"), picture: photo)
      let page = "<h1>404</h1>"
      script.on(
        "POST /memes", .send(ScriptedServer.answer("404 Not Found", page, type: "text/html")),
        .send(ScriptedServer.answer("200 OK", page, type: "text/html")),
        .send(ScriptedServer.answer("413 Too Large", page, type: "text/html")))
      #expect(await library.failureOfSync() != "none")
      #expect(await library.failureOfSync() != "none")
      #expect(try await library.states() == ["a: waiting"])
      try await library.sync()
      #expect(try await library.states() == ["a: failed content-too-large"])
    }
  }

  @Test func `a rejected meme can be changed and sent again`() async throws {
    try await withLibrary { library, script, server in
      _ = try await library.create(MemeFields(top: "too long", bottom: "b"), picture: photo)
      script.on("POST /memes", Script.problem(422, "invalid-input"))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      try await library.apply(draft.id, with: MemeEdit(top: "short"))
      #expect(try await library.states() == ["short: waiting"])
      try await library.sync()
      #expect(server.changes.last?.field("top") == "short")
      #expect(server.changes.last?.field("bottom") == "b")
      #expect(try await library.states() == ["short: sent"])
    }
  }

  /// Creates a meme whose response is lost, edits it, and receives its deletion elsewhere, so that it becomes a draft.
  private func draftOfDeleted(
    by edit: MemeEdit, in library: MemeLibrary, _ script: LibraryScript
  ) async throws -> Meme.ID {
    let id = try await library.create(MemeFields(top: "a", bottom: "b"), picture: photo)
    script.on("POST /memes", Script.lost)
    #expect(await library.failureOfSync() != "none")
    try await library.edit(id, edit)
    script.on("GET /memes/changes", Script.page(Script.deletion(id)))
    try await library.sync()
    return id
  }
}
