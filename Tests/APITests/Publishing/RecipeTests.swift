import Support
import Testing
import Wire
import mememe

/// Boxes, bars and crops, as sent and returned.
struct RecipeTests {
  private static let boxes = #"""
    [{"text": "one", "x": 0.1, "y": 0.1, "width": 0.5, "height": 0.2},
     {"text": "two\nlines", "x": 0, "y": 0.5, "width": 1, "height": 0.5, "rotation": -12.5, "align": "right",
      "verticalAlign": "bottom", "font": "impact", "fill": "#FFCC00", "outline": "#123456",
      "outlineWidth": 0.2, "size": 0.3, "case": "typed"}]
    """#

  private func parts(_ fields: [(String, String)]) throws -> [FormBody.Part] {
    [.file("image", try Fixture.photo.bytes)] + fields.map { .field($0.0, $0.1) }
  }

  @Test func `boxes are returned as sent, with omitted members as null`() async throws {
    try await withServer { server in
      let created = try await server.upload(.photo, ["captions": Self.boxes]).expect(201)
      let meme = created.json
      let detail = try await server.get("/memes/\(meme.id.text ?? "")").expect(200).json
      let list = try await server.get("/memes").expect(200).json
      #expect(detail.captions == meme.captions && list.items[0].captions == meme.captions)
      #expect(meme.top.text == "" && meme.bottom.text == "")
      #expect(meme.altText.text == "one – two lines")
      #expect(meme.fit.elements.map(\.position.text) == ["captions[0]", "captions[1]"])
      let (first, second) = (meme.captions[0], meme.captions[1])
      for name in ["font", "fill", "outline", "outlineWidth", "size", "case", "align"] {
        #expect(first[name] == .null, "\(name)")
        #expect(second[name] != .null, "\(name)")
      }
      #expect(first.rotation == .number(0) && first.verticalAlign.text == "middle")
      #expect(second.rotation == .number(-12.5) && second.fill.text == "#ffcc00")
      #expect(second["text"].text == "two\nlines")
      let sent = try JSON(parsing: Array(Self.boxes.utf8))
      for name in ["x", "y", "width", "height"] {
        #expect(first[name] == sent[0][name] && second[name] == sent[1][name], "\(name)")
      }
      // The returned captions can be sent again and make the same picture.
      let shown = try #require(
        created.response.text.firstMatch(of: /"captions":(\[.*\]),"pictures"/))
      let again = try await server.upload(.photo, ["captions": String(shown.1)]).expect(201).json
      #expect(again.captions == meme.captions)
      #expect(again.image.bytes == meme.image.bytes)
    }
  }

  @Test func `a bar makes the picture taller`() async throws {
    try await withServer { server in
      let fields = ["layout": "bar"]
      let meme = try await server.upload(top: "above", fields).expect(201).json
      #expect(meme.style.layout.text == "bar")
      #expect(meme.style.fill.text == "#000000" && meme.style.outlineWidth == .number(0))
      #expect(meme.image.width.int == 640)
      #expect((481...640).contains(meme.image.height.int ?? 0))
      #expect(meme.fit[0].position.text == "top")
      let chosen = try await server.upload(
        top: "a", ["layout": "bar", "fill": "#ff0000", "outlineWidth": "0.11"]
      ).expect(201).json
      #expect(chosen.style.fill.text == "#ff0000" && chosen.style.outlineWidth == .number(0.11))
      let small = try await server.upload(
        top: "above", bottom: "below", ["layout": "bar", "maxEdge": "300"]
      ).expect(201).json
      let longest = max(small.image.width.int ?? 0, small.image.height.int ?? 0)
      #expect((297...300).contains(longest))
    }
  }

  @Test func `a crop applies to the pictures, and the original stays whole`() async throws {
    try await withServer { server in
      let made = try await server.upload(top: "x", ["crop": "40,30,200,100"]).expect(201)
      let meme = made.json
      #expect(meme.image.width.int == 200 && meme.image.height.int == 100)
      #expect(meme.thumbnails.grid.width.int == 200 && meme.thumbnails.grid.height.int == 100)
      #expect(
        ["x", "y", "width", "height"].map { meme.crop[$0].int } == [40, 30, 200, 100])
      let location = try #require(made["location"])
      try await server.get("\(location)/original").expect(404)
      let original = try await server.get(
        "\(location)/original", token: made["meme-delete-token"]
      ).expect(200)
      #expect(original.response.body == (try Fixture.photo.bytes))
      let moving = try await server.upload(.moving, ["crop": "10,10,50,40"]).expect(201).json
      #expect(moving.image.width.int == 50 && moving.image.mediaType.text == "image/gif")
    }
  }

  @Test func `a preview is identical to the meme's picture`() async throws {
    try await withServer { server in
      for fields in [
        [("captions", Self.boxes), ("crop", "0,0,400,400")], [("layout", "bar"), ("top", "hello")],
      ] {
        let parts = try parts(fields)
        let preview = try await server.post(to: "/memes/preview", parts).expect(200)
        let kept = try await server.post(parts, headers: [("Accept", "image/*")]).expect(201)
        #expect(kept.response.body == preview.response.body)
      }
      #expect(try await server.get("/memes").json.items.elements.count == 2)
    }
  }

  @Test func `a client id stands for one recipe`() async throws {
    try await withServer { server in
      let id = "01234567-89ab-7def-8123-456789abcdef"
      try await server.upload(.photo, ["id": id, "captions": Self.boxes]).expect(201)
      try await server.upload(.photo, ["id": id, "captions": Self.boxes]).expect(200)
      let other = Self.boxes.replacing("-12.5", with: "12.5")
      try await server.upload(.photo, ["id": id, "captions": other]).expect(409)
      try await server.upload(.photo, ["id": id, "captions": Self.boxes, "crop": "0,0,9,9"]).expect(
        409)
    }
  }

  @Test func `twenty boxes with texts of maximum size are accepted`() async throws {
    let text = String(repeating: "👩🏽‍❤️‍💋‍👨🏽", count: 234)
    let box = #"{"text": "\#(text)", "x": 0, "y": 0, "width": 1, "height": 1}"#
    let captions = "[" + Array(repeating: box, count: 20).joined(separator: ",") + "]"
    try await withServer { server in
      let meme = try await server.upload(.moving, ["captions": captions]).expect(201).json
      #expect(meme.captions.elements.count == 20)
      #expect(meme.captions[19]["text"].text == text)
      let padding = String(repeating: " ", count: 256 << 10)
      try await server.upload(.moving, ["captions": captions + padding])
        .expect(422, fields: ["captions too-long"])
    }
  }

  @Test func `an empty box list means no boxes`() async throws {
    try await withServer { server in
      let meme = try await server.upload(
        top: "x", ["captions": "[]", "layout": "bar"]
      ).expect(201).json
      #expect(meme.captions == .array([]))
      #expect(meme.top.text == "x")
    }
  }
}
