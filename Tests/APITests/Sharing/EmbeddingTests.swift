import Bytes
import Foundation
import Imaging
import Support
import Testing
import Wire
import mememe

struct EmbeddingTests {
  /// Calls `body` with a meme of 640 × 480, which has thumbnails of 512 × 384 and 192 × 144.
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
    ("&maxwidth=9223372036854775807&maxheight=9223372036854775807", "image?v=1", 640, 480),
    ("&maxwidth=639", "image?v=1&width=512", 512, 384),
    ("&maxheight=384&format=json", "image?v=1&width=512", 512, 384),
    ("&maxheight=383", "image?v=1&width=384", 384, 288),
    ("&maxwidth=300&maxheight=20", "image?v=1&width=16", 16, 12),
    ("&maxwidth=16", "image?v=1&width=16", 16, 12),
    ("&maxwidth=1&maxheight=1", "image?v=1&width=16", 16, 12),
  ])
  func `the embedded picture fits the given limits and has the stated size`(
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
      #expect(try await size(of: target, server) == [width, height])
      let thumbnail = photo.keys.contains("thumbnail_url") ? photo.thumbnail_width.int : nil
      #expect(thumbnail == (width >= 512 ? 512 : width >= 192 ? 192 : nil))
    }
  }

  /// The actual size of the picture at `target`.
  private func size(of target: String, _ server: TestServer) async throws -> [Int] {
    let file = Bytes(try await server.get(target).expect(200).response.body)
    let pixels = PixelBuffer()
    try PictureDecoder.decode(
      file, header: PictureHeader(of: file, maximumPixels: 1 << 24), maximumEdge: 1 << 14,
      into: pixels)
    return [pixels.width, pixels.height]
  }

  @Test func `a picture too thin to be scaled is replaced by a thumbnail`() async throws {
    try await withServer { server in
      let made = try await server.upload(.photo, ["crop": "0,0,2,480"]).expect(201).json
      #expect(made.image.width.int == 2)
      let page = "http://127.0.0.1:\(server.port)/m/\(made.id.text ?? "")"
      for (query, height) in [("", 480), ("&maxheight=479", 192), ("&maxheight=9", 192)] {
        let photo = try await server.get("/oembed?url=\(encoded(page))\(query)").expect(200).json
        #expect(photo.height.int == height, "\(query)")
      }
    }
  }

  @Test func `queries and fragments of a shared link are ignored`() async throws {
    try await withMeme { server, _, page in
      for more in ["?utm_source=x", "#top", "/", "/?a=b#c"] {
        try await server.get("/oembed?url=\(encoded(page + more))").expect(200)
      }
    }
  }

  @Test(arguments: ["https://Memes.example", "https://memes.example:443/"])
  func `URLs with and without the default port are the same`(_ publicURL: String) async throws {
    let settings = try Settings(environment: ["MEMEME_PUBLIC_URL": publicURL], flags: [])
    try await withServer({ $0.publicURL = settings.publicURL }) { server in
      let id = try #require(try await server.upload(.moving).expect(201).json.id.text)
      for host in [
        "https://memes.example", "https://memes.example:443", "HTTPS://MEMES.example",
        "http://memes.example:80",
      ] {
        try await server.get("/oembed?url=\(encoded("\(host)/m/\(id)"))").expect(200)
      }
      for host in [
        "https://memes.example:80", "https://memes.example:8443", "https://memes.example:",
      ] {
        try await server.get("/oembed?url=\(encoded("\(host)/m/\(id)"))")
          .expect(404, problem: "not-found")
      }
    }
  }

  @Test func `any other URL is 404`() async throws {
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

  @Test func `all invalid parameters are named`() async throws {
    try await withMeme { server, _, page in
      try await server.get("/oembed?maxwidth=0&maxheight=x&callback=f").expect(
        422, problem: "invalid-input",
        fields: ["url missing", "maxwidth out-of-range", "maxheight not-a-number"])
      // Clients may add parameters: WordPress sends this one with every request.
      try await server.get("/oembed?url=\(encoded(page))&dnt=1").expect(200)
      try await server.get("/oembed?url=\(encoded(page))&format=xml")
        .expect(501, problem: "unsupported-format")
    }
  }
}
