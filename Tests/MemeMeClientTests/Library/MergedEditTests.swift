import Foundation
import MemeMeClient
import Support
import Testing
import Wire

/// Edits that are merged before they are sent, on a real server: they give the same meme as if each was sent.
struct MergedEditTests {
  private static let box = CaptionBox("box", x: 0.1, y: 0.1, width: 0.5, height: 0.3)
  private static let boxes = edit { $0.captions = .set([box]) }
  private static let noBoxes = edit { $0.captions = .set([]) }

  @Test(arguments: [
    [boxes, MemeEdit(top: "x"), MemeEdit(top: "")],
    [boxes, MemeEdit(top: "x"), MemeEdit(bottom: "y"), MemeEdit(top: "")],
    [MemeEdit(top: "x", bottom: "y"), boxes, noBoxes],
    [MemeEdit(top: "x", bottom: "y"), boxes, MemeEdit(top: "z")],
    [MemeEdit(top: "x"), boxes, MemeEdit(bottom: "y"), boxes, noBoxes],
    [boxes, MemeEdit(top: ""), edit { $0.top = .reset }],
    [boxes, MemeEdit(top: "x"), edit { $0.top = .reset }],
    [MemeEdit(top: "x"), boxes, edit { $0.captions = .reset }],
  ])
  func `top and bottom captions and boxes replace each other as on the server`(
    steps: [MemeEdit]
  ) async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      try await withLibraryFolder { folder in
        let library = try MemeLibrary(at: folder, client: client)
        let picture = Data(try Fixture.opaqueAlpha.bytes)
        var made: [Meme.ID] = []
        // Each edit is sent; all edits are merged; the creation is merged as well.
        for sendsEach in [true, false] {
          let id = try await library.create(picture: picture)
          try await library.edit(id, steps[0])
          try await library.sync()
          for step in steps.dropFirst() {
            try await library.edit(id, step)
            if sendsEach { try await library.sync() }
          }
          made.append(id)
        }
        let id = try await library.create(picture: picture)
        for step in steps { try await library.edit(id, step) }
        made.append(id)
        let shown = try await library.meme(made[1]).meme.map(Captions.init)
        try await library.sync()
        #expect(try await library.drafts().isEmpty)
        var memes: [Captions] = []
        for id in made { memes.append(Captions(try await client.meme(id))) }
        #expect(memes[1] == memes[0] && memes[2] == memes[0] && shown == memes[0])
        await library.close()
      }
    }
  }

  @Test func `the list shows no top and bottom caption next to boxes`() async throws {
    try await withLibrary { library, script, _ in
      let id = Meme.ID()
      script.on(
        "GET /memes/changes",
        LibraryScript.page(LibraryScript.upsert(LibraryScript.meme(id, top: "a", bottom: "b"))))
      try await library.sync()
      try await library.edit(id, Self.boxes)
      let item = try #require(try await library.table().first)
      #expect(item.top.isEmpty && item.bottom.isEmpty)
    }
  }

  @Test func `a reset of a new meme's field gives the server's default, not the user's`()
    async throws
  {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      var settings = SettingsEdit()
      var captions = Settings.Captions()
      captions.font = "comic"
      (settings.captions, settings.visibility) = (.set(captions), .set(.onlyMe))
      _ = try await client.editSettings(settings)
      try await withLibraryFolder { folder in
        let library = try MemeLibrary(at: folder, client: client)
        let picture = Data(try Fixture.opaqueAlpha.bytes)
        var fields = MemeFields(top: "a", visibility: .friends)
        fields.font = "sans"
        let reset = Self.edit { ($0.font, $0.visibility) = (.reset, .reset) }
        var made: [Meme] = []
        for sendsEach in [true, false] {
          let id = try await library.create(fields, picture: picture)
          if sendsEach { try await library.sync() }
          try await library.edit(id, reset)
          try await library.edit(id, MemeEdit(bottom: "b"))
          try await library.sync()
          made.append(try await client.meme(id))
        }
        #expect(made.map(\.visibility) == [.everyone, .everyone])
        #expect(made[0].style == made[1].style && made[0].style.font == "impact")
        #expect(made.map(\.bottom) == ["b", "b"])
        #expect(try await library.drafts().isEmpty)
        await library.close()
      }
    }
  }

  @Test func `an edit without boxes leaves a new meme the layout of the user's settings`()
    async throws
  {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      var settings = SettingsEdit()
      var captions = Settings.Captions()
      captions.layout = .bar
      settings.captions = .set(captions)
      _ = try await client.editSettings(settings)
      try await withLibraryFolder { folder in
        let library = try MemeLibrary(at: folder, client: client)
        let picture = Data(try Fixture.opaqueAlpha.bytes)
        var layouts: [Layout] = []
        for sendsEach in [true, false] {
          let id = try await library.create(MemeFields(top: "a"), picture: picture)
          if sendsEach { try await library.sync() }
          try await library.edit(id, Self.noBoxes)
          try await library.sync()
          layouts.append(try await client.meme(id).style.layout)
        }
        #expect(layouts == [.bar, .bar])
        await library.close()
      }
    }
  }

  @Test func `a reset of a draft's field is sent as an edit of the new meme`() async throws {
    try await withLibrary { library, script, server in
      var fields = MemeFields(top: "too long")
      fields.font = "sans"
      try await library.create(fields, picture: photo)
      script.on("POST /memes", LibraryScript.problem(422, "invalid-input"))
      try await library.sync()
      let draft = try #require(try await library.drafts().first)
      let id = try await library.apply(
        draft.id, with: Self.edit { ($0.top, $0.font) = (.set("a"), .reset) })
      script.on(
        "PATCH /memes/ID", LibraryScript.ok(LibraryScript.meme(id, version: 2, top: "a")))
      try await library.sync()
      #expect(server.changes[1].field("top") == "a" && server.changes[1].field("font") == nil)
      #expect(server.changes.last?.text == #"{"font":null}"#)
      #expect(server.changes.last?.headers["if-match"] == "\"1\"")
      #expect(try await library.states() == ["a: sent"])
    }
  }

  private static func edit(_ change: (inout MemeEdit) -> Void) -> MemeEdit {
    var edit = MemeEdit()
    change(&edit)
    return edit
  }

  private struct Captions: Equatable {
    let top: String
    let bottom: String
    let boxes: [String]

    init(_ meme: Meme) {
      (top, bottom, boxes) = (meme.top, meme.bottom, meme.captions.map(\.text))
    }
  }
}
