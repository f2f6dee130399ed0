import Support
import Testing
import Wire

/// Captions that all have the font size of the smallest one.
struct SameSizeTests {
  private static let boxes: FormBody.Part = .field(
    "captions",
    #"""
    [{"text": "no", "x": 0, "y": 0, "width": 1, "height": 0.3},
    {"text": "this one has many more words and must be small", "x": 0, "y": 0.5, "width": 0.4, "height": 0.3},
    {"text": " ", "x": 0, "y": 0.9, "width": 0.1, "height": 0.1}]
    """#)

  private func make(_ server: TestServer, _ fields: [FormBody.Part]) async throws -> JSON {
    try await server.post(fields + [.file("image", try Fixture.photo.bytes)]).expect(201).json
  }

  private func sizes(_ meme: JSON) -> [Double] {
    meme.fit.elements.compactMap { $0.fontSize.double }
  }

  @Test func `all captions have the size of the smallest`() async throws {
    try await withServer { server in
      let layouts: [[FormBody.Part]] = [
        [Self.boxes],
        [
          .field("top", "x"),
          .field("bottom", "this one has many more words, and so it is smaller"),
        ],
        [
          .field("layout", "bar"), .field("top", "x"),
          .field("bottom", "this one has many more words than one line can hold, and is smaller"),
        ],
      ]
      for fields in layouts {
        let own = try await make(server, fields)
        #expect(own.style.sameSize == .bool(false))
        let (first, second) = (try #require(sizes(own).first), try #require(sizes(own).last))
        #expect(first > second)
        let same = try await make(server, fields + [.field("sameSize", "true")])
        #expect(same.style.sameSize == .bool(true))
        #expect(sizes(same) == [second, second])
        #expect(same.fit.elements.map(\.shrunk) == [.bool(true), .bool(true)])
        let preview = try await server.post(
          to: "/memes/preview",
          fields + [.field("sameSize", "true"), .file("image", try Fixture.photo.bytes)]
        ).expect(200)
        let image = try await server.get(same.image.url.text ?? "").expect(200)
        #expect(preview.response.body == image.response.body)
        // An edit keeps it, and null resets it.
        let (url, token) = ("/memes/\(same.id.text ?? "")", same.deleteToken.text)
        let edited = try await server.patch(url, ##"{"fill": "#ffd600"}"##, token: token).expect(
          200)
        #expect(sizes(edited.json) == [second, second])
        let reset = try await server.patch(url, #"{"sameSize": null}"#, token: token).expect(200)
        #expect(sizes(reset.json) == sizes(own))
        let again = try await server.patch(url, #"{"sameSize": true}"#, token: token).expect(200)
        #expect(sizes(again.json) == [second, second])
        try await server.patch(url, #"{"sameSize": "true"}"#, token: token)
          .expect(422, fields: ["sameSize not-a-flag"])
      }
      try await server.post([
        .field("sameSize", "yes"), .file("image", try Fixture.photo.bytes),
      ]).expect(422, fields: ["sameSize not-allowed"])
    }
  }
}
