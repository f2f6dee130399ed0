import Foundation
import Support
import Testing
import Wire
import mememe

/// Memes that use the picture of another meme.
struct RemixTests {
  private struct Remix {
    let answer: Answer
    let url: String
    let original: Answer

    init(_ server: TestServer, of id: String, _ fields: [FormBody.Part] = []) async throws {
      answer = try await server.post([.field("remix", id)] + fields).expect(201)
      url = try #require(answer["location"])
      original = try await server.get("\(url)/original", token: answer["meme-delete-token"])
        .expect(200)
    }
  }

  @Test func `a remix has the source's picture without captions as its original`() async throws {
    try await withServer { server in
      let source = try await server.upload(.transparent, top: "one").expect(201)
      let remix = try await Remix(server, of: source.json.id.text ?? "", [.field("top", "two")])
      #expect(remix.answer.json.top.text == "two")
      #expect(remix.original["content-type"] == "image/png")
      // PNG is lossless, so the result is the same as for an uploaded picture.
      let plain = try await server.upload(.transparent, top: "two").expect(201)
      let wanted = try await server.get("\(plain["location"] ?? "")/image").response.body
      #expect(try await server.get("\(remix.url)/image").response.body == wanted)
      let preview = try await server.post(
        to: "/memes/preview", [.field("remix", source.json.id.text ?? ""), .field("top", "two")]
      ).expect(200)
      #expect(preview.response.body == wanted)
      // The delete token of the source is not valid for the remix.
      try await server.get(
        "\(remix.url)/original", token: source["meme-delete-token"]
      ).expect(401)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt8>)
  func `a remix has no cropped areas and no metadata`(orientation: UInt8) async throws {
    try await withServer { server in
      let telling = TellingPicture.jpeg(try Fixture.photo.bytes, orientation: orientation)
      let source = try await server.post(
        [.file("image", telling), .field("crop", "40,60,200,100"), .field("top", "x")]
      ).expect(201)
      let remix = try await Remix(server, of: source.json.id.text ?? "")
      let original = remix.answer.json.original
      #expect([original.width.int, original.height.int] == [200, 100])
      #expect(remix.answer.json.crop == .null)
      #expect(original.bytes.int == remix.original.response.body.count)
      for secret in TellingPicture.secrets {
        #expect(!remix.original.response.body.contains(Array(secret.utf8)), "\(secret)")
      }
      #expect(!remix.original.response.body.contains(Array("Exif".utf8)))
      // A crop of the remix uses the remix's own pixels.
      try await server.post(
        [.field("remix", source.json.id.text ?? ""), .field("crop", "150,0,51,10")]
      ).expect(422, fields: ["crop out-of-range"])
      try await server.post(
        [.field("remix", source.json.id.text ?? ""), .field("crop", "150,0,50,10")]
      ).expect(201)
    }
  }

  @Test func `a remix does not have the text chunks of a PNG`() async throws {
    try await withServer { server in
      let telling = TellingPicture.png(try Fixture.transparent.bytes)
      let source = try await server.post([.file("image", telling)]).expect(201)
      let kept = try await server.get(
        "\(source["location"] ?? "")/original", token: source["meme-delete-token"])
      #expect(kept.response.body == telling)
      let remix = try await Remix(server, of: source.json.id.text ?? "")
      #expect(!remix.original.response.body.contains(Array("SECRET-NOTE".utf8)))
    }
  }

  @Test(arguments: [MovingFixture.whole, .patches, .seeThroughWebP])
  func `animations stay animated, cropped`(picture: MovingFixture) async throws {
    try await withServer { server in
      let source = try await server.post(
        [.file("image", try picture.bytes), .field("crop", "8,8,40,30")]
      ).expect(201)
      let remix = try await Remix(server, of: source.json.id.text ?? "")
      let original = remix.answer.json.original
      #expect([original.width.int, original.height.int] == [40, 30])
      #expect(original.mediaType == source.json.original.mediaType)
      #expect(remix.answer.json.image.mediaType == source.json.image.mediaType)
    }
  }

  @Test func `a remix outlives its source, and deleted memes cannot be remixed`() async throws {
    try await withServer { server in
      let source = try await server.upload(.photo).expect(201)
      let id = source.json.id.text ?? ""
      let remix = try await Remix(server, of: id)
      let token = try #require(remix.answer["meme-delete-token"])
      try await server.delete(source["location"] ?? "", token: server.adminToken).expect(204)
      let original = try await server.get("\(remix.url)/original", token: token).expect(200)
      #expect(original.response.body == remix.original.response.body)
      try await server.patch(remix.url, #"{"top": "still there"}"#, token: token).expect(200)
      for unknown in [id, "01234567-89ab-7def-8123-456789abcdef"] {
        for target in ["/memes", "/memes/preview"] {
          try await server.post(to: target, [.field("remix", unknown)])
            .expect(422, problem: "invalid-input", fields: ["remix unknown-meme"])
        }
      }
    }
  }

  @Test func `an edit can start from another meme's picture`() async throws {
    try await withServer { server in
      let telling = TellingPicture.jpeg(try Fixture.photo.bytes)
      let source = try await server.post(
        [.file("image", telling), .field("crop", "0,0,100,80")]
      ).expect(201)
      let made = try await server.upload(.photo, top: "mine").expect(201)
      let (url, token) = (made["location"] ?? "", made["meme-delete-token"] ?? "")
      let edited = try await server.patch(
        url, #"{"remix": "\#(source.json.id.text ?? "")"}"#, token: token
      ).expect(200)
      #expect(edited.json.top.text == "mine")
      #expect([edited.json.original.width.int, edited.json.original.height.int] == [100, 80])
      try await server.get("\(url)/original", token: token)
        .expect(200, lacking: TellingPicture.secrets)
    }
  }

  @Test func `a repeated request with the same id matches even after the source is deleted`()
    async throws
  {
    try await withServer { server in
      let source = try await server.upload(.photo).expect(201)
      let template = try await server.keepTemplate().expect(201)
      for (number, named) in [("remix", source), ("template", template)].enumerated() {
        let fields: [FormBody.Part] = [
          .field("id", "01234567-89ab-7def-8123-45678900000\(number)"),
          .field(named.0, named.1.json.id.text ?? ""),
        ]
        try await server.post(fields).expect(201)
        try await server.delete(named.1["location"] ?? "", token: server.adminToken).expect(204)
        try await server.post(fields).expect(200)
        try await server.post(fields + [.field("top", "x")]).expect(409, problem: "id-taken")
      }
    }
  }
}
