import Support
import Testing
import Wire

/// The style of captions that specify none.
struct DefaultStyleTests {
  private static let bar: [FormBody.Part] = [.field("layout", "bar"), .field("top", "So it goes")]

  private func make(_ server: TestServer, _ fields: [FormBody.Part]) async throws -> JSON {
    try await server.post(fields + [.file("image", try Fixture.photo.bytes)]).expect(201).json
  }

  @Test func `the fonts have the defaults of both layouts`() async throws {
    try await withServer { server in
      let defaults = try await server.get("/fonts").expect(200).json.defaults
      #expect(try await make(server, [.field("top", "x")]).style == defaults.overlay)
      #expect(try await make(server, Self.bar).style == defaults.bar)
      #expect(defaults.overlay.case == "upper" && defaults.bar.case == "typed")
      #expect(defaults.overlay.align == "center" && defaults.bar.align == "left")
      let fonts = try await server.get("/fonts").json.items.elements
      let font = try #require(fonts.first { $0.id == defaults.bar.font })
      #expect(font.hasLowercase.flag == true)
      // The layout of an edit decides too.
      let meme = try await make(server, [.field("top", "x")])
      let edited = try await server.patch(
        "/memes/\(meme.id.text ?? "")", #"{"layout": "bar"}"#,
        token: meme.deleteToken.text)
      #expect(edited.json.style == defaults.bar)
    }
  }

  @Test(.enabled(if: !Cluster.isTested))
  func `a meme with the former defaults keeps them when its texts are edited`() async throws {
    try await withDataFolder { folder in
      var (former, id, token): (JSON, String, String) = (.null, "", "")
      try await withServer(in: folder) { server in
        let chosen: [FormBody.Part] = [
          .field("font", "impact"), .field("case", "upper"), .field("align", "center"),
          .field("size", "0.14"),
        ]
        former = try await make(server, Self.bar + chosen)
        id = try #require(former.id.text)
        token = try #require(former.deleteToken.text)
      }
      // A row as an earlier version wrote it.
      try await editDatabase(in: folder, "UPDATE memes SET chosen_style = ''")
      try await withServer(in: folder) { server in
        let meme = "/memes/\(id)"
        #expect(try await server.get(meme).expect(200).json.style == former.style)
        try await server.patch(meme, #"{"bottom": "x"}"#, token: token).expect(200)
        let back = try await server.patch(meme, #"{"bottom": ""}"#, token: token).expect(200)
        #expect(back.json.style == former.style)
        #expect(back.json.image.bytes == former.image.bytes)
        // A reset chooses the present default.
        let reset = try await server.patch(meme, #"{"case": null}"#, token: token).expect(200)
        #expect(reset.json.style.case == "typed" && reset.json.style.font == "impact")
      }
    }
  }
}
