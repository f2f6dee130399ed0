import Foundation
import MemeMeClient
import Testing
import Wire

/// Edits and deletions on their way to the server.
struct EditingTests {
  typealias Script = LibraryScript

  /// Calls `body` with a library with one meme, which the server has too.
  private func withSentMeme(
    _ body: (MemeLibrary, LibraryScript, ScriptedServer, Meme.ID) async throws -> Void
  ) async throws {
    try await withLibrary { library, script, server in
      let id = Meme.ID()
      script.on(
        "GET /memes/changes",
        Script.page(Script.upsert(Script.meme(id, version: 3, top: "a", bottom: "b"))))
      try await library.sync()
      try await body(library, script, server, id)
    }
  }

  @Test func `offline edits are merged, for the version that they are based on`() async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "c"))
      try await library.edit(id, MemeEdit(bottom: "d"))
      try await library.edit(id, MemeEdit(top: "e"))
      #expect(try await library.states() == ["e: waiting"])
      let meme = try await library.meme(id)
      #expect(meme.meme?.top == "e" && meme.meme?.bottom == "d" && meme.meme?.version == 3)
      script.on("PATCH /memes/ID", Script.ok(Script.meme(id, version: 4, top: "e", bottom: "d")))
      try await library.sync()
      #expect(server.changingCalls == ["PATCH /memes/ID"])
      #expect(server.changes[0].headers["if-match"] == "\"3\"")
      #expect(server.changes[0].text == #"{"bottom":"d","top":"e"}"#)
      #expect(try await library.states() == ["e: sent"])
    }
  }

  @Test func `an edit with a lost response is done if the meme has its content`() async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "c"))
      let edited = Script.meme(id, version: 4, top: "c", bottom: "b")
      script.on("PATCH /memes/ID", Script.lost, Script.conflict(edited))
      #expect(await library.failureOfSync() != "none")
      try await library.sync()
      #expect(server.changingCalls == ["PATCH /memes/ID", "PATCH /memes/ID"])
      #expect(server.changes[1].headers["if-match"] == "\"3\"")
      #expect(try await library.states() == ["c: sent"])
      #expect(try await library.drafts().isEmpty)
    }
  }

  @Test func `an edit with a lost response is done if the changes show its content`() async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "c"))
      script.on("PATCH /memes/ID", Script.lost)
      #expect(await library.failureOfSync() != "none")
      // This edit cannot be merged with one that may have reached the server.
      try await library.edit(id, MemeEdit(bottom: "d"))
      script.on(
        "GET /memes/changes",
        Script.page(Script.upsert(Script.meme(id, version: 4, top: "c", bottom: "b"))))
      script.on("PATCH /memes/ID", Script.ok(Script.meme(id, version: 5, top: "c", bottom: "d")))
      try await library.sync()
      #expect(server.changes.last?.text == #"{"bottom":"d"}"#)
      #expect(server.changes.last?.headers["if-match"] == "\"4\"")
      #expect(server.changes.count == 2)
    }
  }

  @Test func `the server's version wins, and the edit becomes a draft`() async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "mine"))
      script.on("PATCH /memes/ID", Script.lost)
      #expect(await library.failureOfSync() != "none")
      try await library.edit(id, MemeEdit(bottom: "mine too"))
      script.on(
        "PATCH /memes/ID", Script.conflict(Script.meme(id, version: 4, top: "theirs", bottom: "b")))
      try await library.sync()
      #expect(try await library.states() == ["theirs: draft"])
      let draft = try #require(try await library.drafts().first)
      #expect(draft.reason == .changedElsewhere && draft.kind == .edit && draft.meme == id)
      #expect(draft.content == MemeEdit(top: "mine", bottom: "mine too"))
      #expect(draft.base?.version == 3 && draft.base?.top == "a")
      // Applied again, the draft edits the current version.
      try await library.apply(draft.id)
      #expect(try await library.states() == ["mine: waiting"])
      script.on(
        "PATCH /memes/ID", Script.ok(Script.meme(id, version: 5, top: "mine", bottom: "mine too")))
      try await library.sync()
      #expect(server.changes.last?.headers["if-match"] == "\"4\"")
      #expect(try await library.states() == ["mine: sent"])
      #expect(try await library.drafts().isEmpty)
    }
  }

  @Test func `a conflict is detected in the changes before the edit is sent`() async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "mine"))
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(Script.meme(id, version: 4, top: "theirs")))
      )
      try await library.sync()
      #expect(server.changingCalls == [])
      #expect(try await library.states() == ["theirs: draft"])
    }
  }

  @Test func `after a conflict without the current meme, the library fetches it`() async throws {
    try await withSentMeme { library, script, _, id in
      try await library.edit(id, MemeEdit(top: "mine"))
      script.on("PATCH /memes/ID", Script.problem(412, "precondition-failed"))
      script.on("GET /memes/ID", Script.ok(Script.meme(id, version: 4, top: "theirs")))
      try await library.sync()
      #expect(try await library.states() == ["theirs: draft"])
    }
  }

  @Test(arguments: [(410, "gone"), (404, "not-found")])
  func `an edit of a deleted meme becomes a draft`(status: Int, code: String) async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "mine"))
      script.on("PATCH /memes/ID", Script.problem(status, code))
      // The first page has no changes. The second one has the deletion.
      script.on("GET /memes/changes", Script.page(), Script.page(Script.deletion(id)))
      try await library.sync()
      #expect(try await library.table().isEmpty)
      let draft = try #require(try await library.drafts().first)
      #expect(draft.reason == .deletedElsewhere && draft.base?.top == "a")
      await #expect(throws: LibraryError.nothingToApplyTo) { try await library.apply(draft.id) }
      #expect(try await library.drafts().count == 1)
      #expect(server.changes.count == 1)
    }
  }

  @Test func `a rejected edit leaves the meme unchanged`() async throws {
    try await withSentMeme { library, script, _, id in
      try await library.edit(id, MemeEdit(top: "mine"))
      script.on("PATCH /memes/ID", Script.problem(422, "invalid-input"))
      try await library.sync()
      #expect(try await library.states() == ["a: failed invalid-input"])
    }
  }

  @Test func `a library cannot replace a picture`() async throws {
    try await withSentMeme { library, _, _, id in
      var edit = MemeEdit(top: "x")
      edit.remix = .set(Meme.ID())
      await #expect(throws: LibraryError.pictureStays) { try await library.edit(id, edit) }
      let states = try await library.states()
      #expect(states == ["a: sent"])
    }
  }

  /// The boxes of a meme, as the server writes them.
  private static func boxes(at lefts: Double...) -> [PictureBox] {
    lefts.map { left in
      var box = PictureBox(x: left, y: 0, width: 0.1, height: 0.1, fit: .contain)
      box.rotation = 0
      return box
    }
  }

  private static func meme(_ id: Meme.ID, version: Int, _ boxes: [PictureBox]) throws -> String {
    let pictures = String(decoding: try JSONEncoder().encode(boxes), as: UTF8.self)
    return Script.meme(id, version: version)
      .replacing("\"captions\": [],", with: "\"captions\": [], \"pictures\": \(pictures),")
  }

  @Test(arguments: [true, false])
  func `a draft keeps the pictures of the same boxes`(isThere: Bool) async throws {
    try await withLibrary { library, script, server in
      let id = Meme.ID()
      let before = Self.boxes(at: 0, 0.2, 0.4)
      // The first picture was removed elsewhere, or the last one too.
      let now = Self.boxes(at: 0.2, isThere ? 0.4 : 0.6)
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(try Self.meme(id, version: 3, before))))
      try await library.sync()
      var edit = MemeEdit(top: "mine")
      let place = PictureBox(x: 0.8, y: 0, width: 0.1, height: 0.1)
      edit.pictures = .set([.init(.kept(2), in: place)])
      try await library.edit(id, edit)
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(try Self.meme(id, version: 4, now))))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      guard isThere else {
        await #expect(throws: LibraryError.picturesChanged) { try await library.apply(draft.id) }
        #expect(try await library.drafts().map(\.content) == [edit])
        return
      }
      try await library.apply(draft.id)
      script.on("PATCH /memes/ID", Script.ok(try Self.meme(id, version: 5, [place])))
      try await library.sync()
      let sent = try #require(server.changes.last)
      edit.pictures = .set([.init(.kept(1), in: place)])
      #expect(try JSONDecoder().decode(MemeEdit.self, from: Data(sent.body)) == edit)
      #expect(sent.headers["if-match"] == "\"4\"")
    }
  }

  @Test func `a draft after an edit that arrived is based on that edit`() async throws {
    try await withSentMeme { library, script, _, id in
      try await library.edit(id, MemeEdit(top: "c"))
      script.on("PATCH /memes/ID", Script.lost)
      #expect(await library.failureOfSync() != "none")
      try await library.edit(id, MemeEdit(bottom: "mine"))
      script.on(
        "GET /memes/changes",
        Script.page(Script.upsert(Script.meme(id, version: 5, top: "c", bottom: "theirs"))))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      #expect(draft.content == MemeEdit(bottom: "mine"))
      #expect(draft.base?.top == "c" && draft.base?.bottom == "b")
    }
  }

  @Test(arguments: [204, 404, 410])
  func `a deletion succeeds even if the meme is already deleted`(status: Int) async throws {
    try await withSentMeme { library, script, server, id in
      try await library.edit(id, MemeEdit(top: "never sent"))
      try await library.delete(id)
      #expect(try await library.table().isEmpty)
      await #expect(throws: LibraryError.noSuchMeme) { try await library.meme(id) }
      script.on("DELETE /memes/ID", Script.lost)
      script.on(
        "DELETE /memes/ID",
        status == 204 ? Script.done : Script.problem(status, status == 404 ? "not-found" : "gone"))
      #expect(await library.failureOfSync() != "none")
      try await library.sync()
      try await library.sync()
      #expect(server.changingCalls == ["DELETE /memes/ID", "DELETE /memes/ID"])
      #expect(server.changes.allSatisfy { $0.headers["if-match"] == nil })
      #expect(try await library.waitingCount() == 0)
      #expect(try await library.table().isEmpty)
    }
  }

  @Test func `deleting a possibly created meme sends the deletion instead of the creation`()
    async throws
  {
    try await withLibrary { library, script, server in
      let id = try await library.create(MemeFields(top: "a"), picture: photo)
      script.on("POST /memes", Script.lost)
      #expect(await library.failureOfSync() != "none")
      try await library.delete(id)
      script.on("DELETE /memes/ID", Script.problem(404, "not-found"), Script.done)
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "DELETE /memes/ID"])
      // The creation was in transit all the time.
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: "a"))))
      try await library.sync()
      #expect(server.changingCalls == ["POST /memes", "DELETE /memes/ID", "DELETE /memes/ID"])
      #expect(try await library.table().isEmpty)
      #expect(try await library.waitingCount() == 0)
    }
  }

  @Test func `a page older than a response does not undo it`() async throws {
    try await withSentMeme { library, script, _, id in
      try await library.edit(id, MemeEdit(top: "c"))
      script.on("PATCH /memes/ID", Script.ok(Script.meme(id, version: 4, top: "c")))
      script.on(
        "GET /memes/changes", Script.page(),
        Script.page(Script.upsert(Script.meme(id, version: 3, top: "a"))))
      try await library.sync()
      #expect(try await library.states() == ["c: sent"])
    }
  }
}
