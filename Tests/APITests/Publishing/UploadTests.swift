import Foundation
import Support
import Testing
import Wire

struct UploadTests {
  @Test func `a photo and two captions become a meme that can be fetched`() async throws {
    try await withServer { server in
      let created = try await server.upload(
        top: "one does not simply", bottom: "walk into mordor"
      ).expect(201)
      let meme = created.json
      let id = try #require(meme.id.text)
      #expect(created["location"] == "/memes/\(id)")
      #expect(created["meme-delete-token"] == meme.deleteToken.text)
      #expect(meme.top.text == "one does not simply")
      #expect(meme.bottom.text == "walk into mordor")
      #expect(meme.altText.text == "one does not simply – walk into mordor")
      #expect(meme.image.width.int == 640)
      #expect(meme.image.height.int == 480)
      #expect(meme.fit.elements.map(\.position.text) == ["top", "bottom"])
      // A client that receives the token may fetch the original.
      #expect(meme.original.width.int == 640)
      #expect(meme.viewer.canEdit.flag == true && meme.viewer.canDelete.flag == true)

      let detail = try await server.get("/memes/\(id)").expect(200, lacking: ["deleteToken"])
      #expect(detail.json.original == .null)
      #expect(detail.json.altText == meme.altText)
      let list = try await server.get("/memes").expect(200)
      #expect(list.json.items.elements.map(\.id.text) == [id])
      #expect(list.json.nextCursor == .null)

      let image = try await server.get("/memes/\(id)/image").expect(200)
      #expect(image["content-type"] == "image/jpeg")
      #expect(image.response.body.count == meme.image.bytes.int)
      #expect(image.response.body.starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test(arguments: [
    (Fixture.photo, "image/jpeg", 640, 480), (.progressive, "image/jpeg", 320, 240),
    (.cmyk, "image/jpeg", 267, 200), (.webp, "image/jpeg", 320, 240),
    (.transparent, "image/png", 120, 90), (.opaqueAlpha, "image/jpeg", 120, 90),
    (.moving, "image/gif", 100, 80),
  ])
  func `every picture format is accepted, and transparency is kept`(
    picture: Fixture, type: String, width: Int, height: Int
  ) async throws {
    try await withServer { server in
      // The bytes determine the format: file name and media type say JPEG throughout.
      let meme = try await server.upload(picture, top: "hello").expect(201).json
      #expect(meme.image.mediaType.text == type)
      #expect(meme.image.width.int == width)
      #expect(meme.image.height.int == height)
    }
  }

  @Test func `thumbnails keep the aspect ratio and are ready at once`() async throws {
    try await withServer { server in
      let meme = try await server.upload(top: "hello").expect(201).json
      #expect(meme.thumbnails.table.width.int == 192)
      #expect(meme.thumbnails.table.height.int == 144)
      #expect(meme.thumbnails.grid.width.int == 512)
      #expect(meme.thumbnails.grid.height.int == 384)
      for view in ["table", "grid"] {
        let url = try #require(meme.thumbnails[view].url.text)
        let answer = try await server.get(url).expect(200)
        #expect(answer.response.body.starts(with: [0xFF, 0xD8, 0xFF]))
      }
    }
  }

  @Test func `form fields change the picture and its description`() async throws {
    try await withServer { server in
      let meme = try await server.upload(
        top: "a", ["maxEdge": "100", "format": "png", "fill": "#FFCC00", "altText": "A text."]
      ).expect(201).json
      #expect(meme.image.width.int == 100)
      #expect(meme.image.height.int == 75)
      #expect(meme.image.mediaType.text == "image/png")
      #expect(meme.style.fill.text == "#ffcc00")
      #expect(meme.altText.text == "A text.")
    }
  }

  @Test func `the style is returned as requested, and rendered`() async throws {
    try await withServer { server in
      let fields = [
        "font": "impact", "outlineWidth": "0", "size": "5e-1", "case": "typed", "align": "left",
      ]
      let plain = try await server.upload(top: "a").expect(201).json
      #expect(
        [plain.style.font, plain.style["case"], plain.style.align].map(\.text)
          == ["impact", "upper", "center"])
      let meme = try await server.upload(top: "a", fields).expect(201).json
      let detail = try await server.get("/memes/\(meme.id.text ?? "")").expect(200).json
      #expect(detail.style == meme.style)
      #expect(meme.style.outlineWidth == .number(0))
      #expect(meme.style.size == .number(0.5))
      #expect(meme.style["case"].text == "typed")
      #expect(meme.style.align.text == "left")
      let size = { (meme: JSON) in meme.fit[0].fontSize.double ?? 0 }
      #expect(size(meme) > size(plain))
      #expect(meme.image.bytes.int != plain.image.bytes.int)
    }
  }

  @Test func `a picture is never enlarged`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving, ["maxEdge": "5000"]).expect(201).json
      #expect(meme.image.width.int == 100)
    }
  }

  @Test func `captions are plain text and returned as typed`() async throws {
    try await withServer { server in
      let text = "<b>&amp;\n\"Ünï\" 🤷🏽‍♀️ שלום</b>"
      let meme = try await server.upload(top: text).expect(201).json
      #expect(meme.top.text == text)
    }
  }

  @Test func `Accept with an image type returns the picture itself`() async throws {
    try await withServer { server in
      let answer = try await server.upload(top: "x", headers: [("Accept", "image/*")]).expect(201)
      #expect(answer["content-type"] == "image/jpeg")
      #expect(answer.response.body.starts(with: [0xFF, 0xD8, 0xFF]))
      let location = try #require(answer["location"])
      let image = try await server.get("\(location)/image").expect(200)
      #expect(image.response.body == answer.response.body)
      #expect(answer["meme-delete-token"] != nil)

      let png = try await server.upload(headers: [("Accept", "image/png")]).expect(201)
      #expect(png["content-type"] == "image/png")
    }
  }

  @Test func `a preview returns the same picture and stores nothing`() async throws {
    try await withServer { server in
      let parts: [FormBody.Part] = [
        .file("image", try Fixture.photo.bytes), .field("top", "only looking"),
      ]
      let preview = try await server.post(to: "/memes/preview", parts).expect(200)
      #expect(preview["content-type"] == "image/jpeg")
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
      let kept = try await server.post(parts, headers: [("Accept", "image/*")])
      #expect(kept.response.body == preview.response.body)
    }
  }
}
