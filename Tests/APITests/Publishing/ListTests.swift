import Support
import Testing
import Wire

struct ListTests {
  @Test func `pages have every meme once, newest first, despite concurrent changes`() async throws {
    try await withServer { server in
      var uploaded: [(id: String, token: String?)] = []
      for number in 1...7 {
        let answer = try await server.upload(.moving, top: "\(number)").expect(201)
        uploaded.append((try #require(answer.json.id.text), answer["meme-delete-token"]))
      }
      var seen: [String] = []
      var next: String? = "/memes?limit=2"
      while let target = next {
        let page = try await server.get(target).expect(200)
        seen += page.json.items.elements.compactMap(\.id.text)
        let cursor = page.json.nextCursor.text
        #expect((page["link"] != nil) == (cursor != nil))
        next = cursor.map { "/memes?limit=2&cursor=\($0)" }
        if seen.count == 2 {
          // One meme is added, and the last one of this page is deleted.
          try await server.upload(.moving, top: "late").expect(201)
          let last = try #require(uploaded.first { $0.id == seen.last })
          try await server.delete("/memes/\(last.id)", token: last.token).expect(204)
        }
      }
      #expect(seen == uploaded.map(\.id).reversed())
    }
  }

  @Test func `the Link header points to the next page of the same view`() async throws {
    try await withServer { server in
      for _ in 1...3 { try await server.upload(.moving).expect(201) }
      let first = try await server.get("/memes?view=grid&limit=2").expect(200)
      let link = try #require(first["link"])
      #expect(link.hasSuffix(">; rel=\"next\""))
      let target = link.dropFirst().prefix { $0 != ">" }
      let second = try await server.get(String(target)).expect(200)
      #expect(second.json.items.elements.count == 1)
      #expect(second.json.items[0].keys == ["id", "altText", "thumbnail"])
      #expect(second["link"] == nil)
    }
  }

  @Test func `table rows and grid cells have only the members they need`() async throws {
    try await withServer { server in
      try await server.upload(top: "above", bottom: "below").expect(201)
      let row = try await server.get("/memes?view=table").expect(200).json.items[0]
      #expect(
        row.keys == [
          "id", "top", "bottom", "title", "altText", "author", "createdAt", "counts", "thumbnail",
        ])
      #expect(row.top.text == "above" && row.title.text == "above")
      #expect(row.altText.text == "above – below")
      #expect(row.thumbnail.width.int == 192)
      let cell = try await server.get("/memes?view=grid").expect(200).json.items[0]
      #expect(cell.thumbnail.width.int == 512)
    }
  }

  @Test func `a table title is the first caption with text, boxes included`() async throws {
    try await withServer { server in
      let boxes =
        #"[{"text":"in a\nbox","x":0,"y":0,"width":1,"height":0.5},{"text":"b","x":0,"y":0.5,"width":1,"height":0.5}]"#
      let picture = FormBody.Part.file("image", try Fixture.photo.bytes)
      for fields in [
        [FormBody.Part.field("captions", boxes)], [.field("top", " "), .field("bottom", "below")],
        [],
      ] {
        try await server.post([picture] + fields).expect(201)
      }
      let rows = try await server.get("/memes?view=table").expect(200).json.items.elements
      #expect(rows.map(\.title.text) == [nil, "below", "in a box"])
      #expect(rows.map(\.altText.text).last == "in a box – b")
    }
  }

  @Test(arguments: ["0", "101", "-1", "x", "1.5", ""])
  func `a limit out of range is 422`(limit: String) async throws {
    try await withServer { server in
      try await server.get("/memes?limit=\(limit)").expect(422, problem: "invalid-input")
    }
  }

  @Test(arguments: [
    "", "x", "AQAAAAAAAAAA", "AgAAAAAAAAAB", "AQAAAAAAAAAB=", "%2e%2e/%2e%2e", "____________",
    "AIAAAAAAAAAB", "AYAAAAAAAAAB", "AQAAAAAAAAA=", "AQAAAAAAAAABA",
  ])
  func `an invalid cursor is 400`(cursor: String) async throws {
    try await withServer { server in
      try await server.get("/memes?cursor=\(cursor)").expect(400, problem: "invalid-cursor")
    }
  }

  @Test(arguments: ["AQAAAAAAAAAB", "AX__________"])
  func `cursors at either end of the range are valid`(cursor: String) async throws {
    try await withServer { server in
      try await server.upload(.moving).expect(201)
      let page = try await server.get("/memes?cursor=\(cursor)").expect(200)
      // The first meme is at position 1, so no meme is older.
      #expect(page.json.items.elements.count == (cursor.hasSuffix("B") ? 0 : 1))
      #expect(page["link"] == nil)
    }
  }

  @Test func `a damaged row fails only the views that show the damage`() async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder) { try await $0.upload(top: "above").expect(201) }
      try await editDatabase(in: folder, "UPDATE memes SET fit = '[{\"position\":\"left\"}]'")
      try await withServer(in: folder) { server in
        let failure = try await server.get("/memes").expect(500, problem: "internal-error")
        #expect(!failure.response.text.contains("fit"))
        #expect(try server.log.contains("Invalid caption layout in the database"))
        try await server.get("/memes?view=table").expect(200)
        try await server.get("/memes?view=grid").expect(200)
        try await server.upload().expect(201)
      }
    }
  }

  @Test func `all invalid list parameters are named`() async throws {
    try await withServer { server in
      try await server.get("/memes?view=poster&limit=0").expect(
        422, problem: "invalid-input", fields: ["view not-allowed", "limit out-of-range"])
      try await server.get("/memes?offset=3&page=1&limit=0").expect(
        422, problem: "invalid-input",
        fields: ["offset unknown-field", "page unknown-field", "limit out-of-range"])
      try await server.get("/memes?limit=1&limit=2").expect(
        422, problem: "invalid-input", fields: ["limit duplicate"])
    }
  }
}
