import Memes
import Support
import Synchronization
import Testing
import Wire

/// Edits that replace a meme's picture with an uploaded one.
struct UploadEditTests {
  @Test(arguments: [true, false])
  func `an edit can use an uploaded picture`(asJSON: Bool) async throws {
    try await withServer { server in
      let created = try await server.upload(.photo, top: "one", bottom: "two").expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let id = try await server.ahead(.transparent)
      let edited =
        asJSON
        ? try await server.patch(url, #"{"upload": "\#(id)", "top": "three"}"#, token: token)
        : try await server.patch(
          url, FormBody([.field("upload", id), .field("top", "three")]), token: token)
      edited.expect(200, lacking: [id])
      #expect(edited.json.version.int == 2)
      #expect(edited.json.top.text == "three" && edited.json.bottom.text == "two")
      #expect(edited.json.image.mediaType.text == "image/png")
      let original = try await server.get("\(url)/original", token: token).expect(200)
      #expect(original.response.body == (try Fixture.transparent.bytes))
      let plain = try await server.upload(.transparent, top: "three", bottom: "two").expect(201)
      let wanted = try await server.get("\(plain["location"] ?? "")/image").response.body
      #expect(try await server.get("\(url)/image").response.body == wanted)
    }
  }

  @Test func `the meme keeps its picture when the upload expires`() async throws {
    let clock = Mutex(Timestamp(millisecondsSince1970: 1_795_000_000_000))
    try await withServer(now: { clock.withLock(\.self) }) { server in
      let created = try await server.upload(.photo).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let id = try await server.ahead(.transparent)
      try await server.patch(url, #"{"upload": "\#(id)"}"#, token: token).expect(200)
      clock.withLock { $0 = Upload.expiry(madeAt: $0) }
      try await server.patch(url, #"{"top": "still there"}"#, token: token).expect(200)
      let original = try await server.get("\(url)/original", token: token).expect(200)
      #expect(original.response.body == (try Fixture.transparent.bytes))
      try await server.patch(url, #"{"upload": "\#(id)"}"#, token: token)
        .expect(422, problem: "invalid-input", fields: ["upload unknown-upload"])
    }
  }

  @Test func `excess pictures are reported and nothing changes`() async throws {
    try await withServer { server in
      let created = try await server.upload(.photo).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let id = try await server.ahead(.transparent)
      let both: [FormBody.Part] = [
        .file("image", try Fixture.photo.bytes), .field("upload", id), .field("fill", "red"),
      ]
      try await server.patch(url, FormBody(both), token: token).expect(
        422, problem: "invalid-input",
        fields: ["image not-together", "upload not-together", "fill invalid-colour"])
      try await server.patch(url, #"{"upload": "\#(id)", "image": "x"}"#, token: token).expect(
        422, problem: "invalid-input", fields: ["image not-together", "upload not-together"])
      for (upload, problem) in [
        (#""x""#, "upload invalid-uuid"), ("7", "upload not-a-text"),
        (#""\#(Self.unknown)""#, "upload unknown-upload"),
      ] {
        try await server.patch(url, #"{"upload": \#(upload)}"#, token: token)
          .expect(422, problem: "invalid-input", fields: [problem])
      }
      // `null` names no upload, so the picture stays.
      let same = try await server.patch(url, #"{"upload": null}"#, token: token).expect(200)
      #expect(same.json.version.int == 1)
    }
  }

  @Test func `null next to a picture is not a second picture`() async throws {
    try await withServer { server in
      let created = try await server.upload(.photo).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let id = try await server.ahead(.transparent)
      let edited = try await server.patch(
        url, #"{"upload": "\#(id)", "template": null, "remix": null}"#, token: token
      ).expect(200)
      #expect(edited.json.version.int == 2 && edited.json.original.width.int == 120)
      // An empty field of a form means the same.
      let fields: [FormBody.Part] = [
        .file("image", try Fixture.photo.bytes), .field("upload", ""), .field("template", ""),
      ]
      let again = try await server.patch(url, FormBody(fields), token: token).expect(200)
      #expect(again.json.version.int == 3 && again.json.original.width.int == 640)
    }
  }

  private static let unknown = "01234567-89ab-4def-8123-456789abcdef"
}
