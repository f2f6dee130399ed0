import Bytes
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

@testable import API

/// Image formats, as clients request and send them.
struct FormatTests {
  @Test func `a meme has the format that its form names`() async throws {
    try await withServer { server in
      for format in OutputFormat.allCases {
        let type = "image/\(format.rawValue)"
        let made = try await server.upload(.transparent, top: "x", ["format": format.rawValue])
          .expect(201)
        #expect(made.json.image.mediaType.text == type)
        let image = try await server.get(try #require(made.json.image.url.text)).expect(200)
        #expect(image["content-type"] == type)
        let preview = try await server.post(
          to: "/memes/preview",
          [.file("image", try Fixture.photo.bytes), .field("format", format.rawValue)]
        ).expect(200)
        #expect(preview["content-type"] == type)
      }
    }
  }

  @Test(arguments: [
    ("image/webp", Fixture.photo, "image/webp"), ("image/avif", .transparent, "image/avif"),
    ("image/gif, image/webp;q=0.9", .photo, "image/gif"), ("image/*", .transparent, "image/png"),
    ("image/*;q=0.5, image/webp", .transparent, "image/webp"), ("image/*", .photo, "image/jpeg"),
    ("image/gif, image/jpeg", .transparent, "image/gif"),
    ("text/html, image/avif;q=0.1, image/bmp", .photo, "image/avif"),
  ])
  func `Accept ranks the formats, and the picture breaks ties`(
    accept: String, picture: Fixture, type: String
  ) async throws {
    try await withServer { server in
      let answer = try await server.upload(picture, headers: [("Accept", accept)]).expect(201)
      #expect(answer["content-type"] == type)
    }
  }

  @Test func `an unwritable format is rejected with the list of writable ones`() throws {
    var fields = FieldDecoder([("format", .text("avif")), ("other", .text("png"))])
    #expect(fields.word("format", among: OutputFormat.everywhere) == nil)
    #expect(fields.word("other", among: OutputFormat.everywhere) == .png)
    let problem = #expect(throws: Problem.self) { try fields.finish() }
    #expect(problem?.fields.map(\.field) == ["format"])
    #expect(problem?.fields.map(\.code) == ["not-allowed"])
    #expect(problem?.fields.map(\.message) == ["Must be one of: jpeg, png."])
    var draft = MemeDraft(picture: .image(Bytes()))
    #expect(throws: Problem.self) {
      try Accept("image/avif").requirePicture(of: &draft, among: OutputFormat.everywhere)
    }
  }

  @Test func `AVIF uploads are accepted only if configured`() async throws {
    try await withServer { server in
      let refused = try await server.upload(.avif).expect(415)
      #expect(refused.json.code.text == "unsupported-picture")
    }
    try await withServer({ $0.decoders = [.avif] }) { server in
      let made = try await server.upload(.avif, top: "so small").expect(201)
      #expect(made.json.image.mediaType.text == "image/jpeg")
      let token = try #require(made["meme-delete-token"])
      let url = try #require(made["location"])
      let meme = try await server.get(url, token: token).expect(200)
      #expect(meme.json.original.mediaType.text == "image/avif")
      #expect(meme.json.original.width.int == 320)
      let original = try await server.get("\(url)/original", token: token).expect(200)
      #expect(original["content-type"] == "image/avif")
      #expect(try original.response.body == Fixture.avif.bytes)
      _ = try await server.upload(.photo).expect(415)
    }
  }
}
