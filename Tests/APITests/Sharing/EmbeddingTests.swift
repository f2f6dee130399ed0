import Foundation
import Support
import Testing
import Wire
import mememe

struct EmbeddingTests {
  /// A meme of 640×480, whose thumbnails are of 512×384 and 192×144.
  private func withMeme(_ body: (TestServer, _ id: String, _ page: String) async throws -> Void)
    async throws
  {
    try await withServer { server in
      let id = try #require(try await server.upload(top: "one & two").expect(201).json.id.text)
      try await body(server, id, "http://127.0.0.1:\(server.port)/m/\(id)")
    }
  }

  private func encoded(_ url: String) -> String {
    url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(arguments: [
    ("", "image?v=1", 640, 480), ("&maxwidth=640&maxheight=480", "image?v=1", 640, 480),
    ("&maxwidth=639", "thumbnail?view=grid&v=1", 512, 384),
    ("&maxheight=384&format=json", "thumbnail?view=grid&v=1", 512, 384),
    ("&maxheight=383", "thumbnail?view=table&v=1", 192, 144),
    ("&maxwidth=1&maxheight=1", "thumbnail?view=table&v=1", 192, 144),
  ])
  func `it is the largest picture that there is room for`(
    _ query: String, _ picture: String, _ width: Int, _ height: Int
  ) async throws {
    try await withMeme { server, id, page in
      let photo = try await server.get("/oembed?url=\(encoded(page))\(query)").expect(200).json
      #expect(photo.type.text == "photo" && photo.version.text == "1.0")
      #expect(photo.title.text == "one & two")
      #expect(photo.provider_url.text == "http://127.0.0.1:\(server.port)")
      let url = try #require(photo.url.text)
      #expect(url == "http://127.0.0.1:\(server.port)/memes/\(id)/\(picture)")
      #expect(photo.width.int == width && photo.height.int == height)
      let target = String(url.dropFirst("http://127.0.0.1:\(server.port)".count))
      try await server.get(target).expect(200)
      #expect(photo.keys.contains("thumbnail_url") == (width >= 512))
    }
  }

  @Test func `what is added to a link on its way is left out of account`() async throws {
    try await withMeme { server, _, page in
      for more in ["?utm_source=x", "#top", "/", "/?a=b#c"] {
        try await server.get("/oembed?url=\(encoded(page + more))").expect(200)
      }
    }
  }

  @Test func `the address of anything else is 404`() async throws {
    try await withMeme { server, id, page in
      let urls = [
        "", "x", "/m/\(id)", "http://127.0.0.1:\(server.port)/memes/\(id)",
        "http://127.0.0.1:\(server.port)/m/", "http://127.0.0.1:\(server.port)/m/x",
        "http://evil.example/m/\(id)", "http://127.0.0.1:\(server.port).evil.example/m/\(id)",
        "http://127.0.0.1:\(server.port)@evil.example/m/\(id)", "\(page)/share", "\(page)//",
        "http://127.0.0.1:\(server.port)/m/\(UUID().uuidString.lowercased())",
      ]
      for url in urls {
        try await server.get("/oembed?url=\(encoded(url))").expect(404, problem: "not-found")
      }
      try await server.delete("/memes/\(id)", token: server.adminToken).expect(204)
      try await server.get("/oembed?url=\(encoded(page))").expect(410, problem: "gone")
    }
  }

  @Test func `a bad question is answered with all that is wrong with it`() async throws {
    try await withMeme { server, _, page in
      try await server.get("/oembed?maxwidth=0&maxheight=x&callback=f").expect(
        422, problem: "invalid-input",
        fields: ["url missing", "maxwidth out-of-range", "maxheight not-a-number"])
      // What others add: WordPress sends this with every question.
      try await server.get("/oembed?url=\(encoded(page))&dnt=1").expect(200)
      try await server.get("/oembed?url=\(encoded(page))&format=xml")
        .expect(501, problem: "unsupported-format")
    }
  }
}
