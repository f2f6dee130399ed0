import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

/// Memes by address with pictures of other servers in the places of a template.
struct StylePictureTests {
  private static let places = #"""
    [{"x": 0, "y": 0, "width": 0.5, "height": 1, "fit": "cover"}, {"x": 0.5, "y": 0.25, "width": 0.5, "height": 0.5,
    "rotation": 30}]
    """#

  /// Runs a server with a template `panels`, and another one that has pictures.
  private func withHost(
    _ reply: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply,
    _ change: @escaping (inout Settings) -> Void = { _ in },
    _ body: (TestServer, ScriptedServer, _ origin: String) async throws -> Void
  ) async throws {
    try await withPictureHost(reply, change) { server, host, origin in
      _ = try await server.keepTemplate(
        .photo, name: "Panels", [.field("pictures", Self.places), .field("aliases", "panels")]
      ).expect(201)
      _ = try await server.keepTemplate(.photo, name: "Bare", [.field("aliases", "bare")])
        .expect(201)
      try await body(server, host, origin)
    }
  }

  @Test func `pictures fill the places of a template, as those of a meme do`() async throws {
    let (photo, hat) = (try Fixture.photo.bytes, try Fixture.transparent.bytes)
    try await withHost({ .file($0.target == "/photo" ? photo : hat) }) {
      server, host, origin in
      // Nothing is fetched for a redirect.
      try await server.get("/images/panels/a-b.png?style=\(origin)/photo").expect(301)
      #expect(host.requests.isEmpty)
      let both = "/images/panels/hello.png?width=300&style=\(origin)/photo,\(origin)/hat"
      let drawn = try await server.get(both).expect(200)
      try await server.get(both).expect(200)
      #expect(host.requests.map(\.target) == ["/photo", "/hat"])
      #expect(drawn["cache-control"] == "public, max-age=3600")

      let template = try await server.get("/templates/panels").json
      var sent: [String] = []
      for (picture, place) in zip([photo, hat], template.pictures.elements) {
        let upload = try #require(try await server.sendAhead(picture).expect(201).json.id.text)
        let (x, y) = (place.x.double ?? 0, place.y.double ?? 0)
        let (width, height) = (place.width.double ?? 0, place.height.double ?? 0)
        sent.append(
          """
          {"upload": "\(upload)", "x": \(x), "y": \(y), "width": \(width), "height": \(height), \
          "rotation": \(place.rotation.double ?? 0), "fit": "\(place.fit.text ?? "")"}
          """)
      }
      func form(_ pictures: [String]) async throws -> [UInt8] {
        try await server.post(
          to: "/memes/preview",
          [
            .field("template", template.id.text ?? ""), .field("texts", #"["hello"]"#),
            .field("pictures", "[\(pictures.joined(separator: ","))]"), .field("maxEdge", "300"),
            .field("format", "png"),
          ]
        ).expect(200).response.body
      }
      #expect(try await drawn.response.body == form(sent))
      // A place can stay empty.
      for style in ["default,\(origin)/hat", "default,\(origin)/hat,default"] {
        let second = try await server.get("/images/panels/hello.png?width=300&style=\(style)")
          .expect(200)
        #expect(try await second.response.body == form([sent[1]]))
      }
      let none = try await server.get("/images/panels/hello.png?width=300").expect(200)
      for style in ["default", "default,default,default,default,default"] {
        let same = try await server.get("/images/panels/hello.png?width=300&style=\(style)")
        #expect(same.response.body == none.response.body)
      }
    }
  }

  @Test func `a template without places has one in the middle, and so has another picture`()
    async throws
  {
    let photo = try Fixture.photo.bytes
    try await withHost({ _ in .file(photo) }) { server, _, origin in
      let plain = try await server.get("/images/bare/a.png?width=300").expect(200)
      let drawn = try await server.get("/images/bare/a.png?width=300&style=\(origin)/b").expect(200)
      #expect(drawn.response.body != plain.response.body)
      let custom = "/images/custom/a.png?width=300&background=\(origin)/b"
      let other = try await server.get(custom + "&style=\(origin)/b").expect(200)
      let place = #""x": 0.4063, "y": 0.375, "width": 0.1875, "height": 0.25"#
      let upload = try await server.sendAhead(photo).expect(201).json.id.text ?? ""
      let form = try await server.post(
        to: "/memes/preview",
        [
          .file("image", photo), .field("top", "a"), .field("maxEdge", "300"),
          .field("format", "png"), .field("pictures", #"[{"upload": "\#(upload)", \#(place)}]"#),
        ]
      ).expect(200)
      #expect(form.response.body == other.response.body)
      try await server.get("/images/bare/a.png?style=\(origin)/b,\(origin)/b")
        .expect(422, fields: ["style too-many"])
    }
  }

  @Test func `only named hosts are asked, for at most four pictures`() async throws {
    let photo = try Fixture.photo.bytes
    try await withHost({ _ in .file(photo) }) { server, host, origin in
      for url in ["http://127.0.0.1/a.jpg", "https://example.org/a", "http://[::1]:\(host.port)/a"]
      {
        // The first one would be permitted.
        try await server.get("/images/panels/a.png?style=\(origin)/a,\(url)")
          .expect(422, fields: ["style not-allowed"])
      }
      for name in ["maga", "a.jpg", "//127.0.0.1:\(host.port)/a"] {
        try await server.get("/images/panels/a.png?style=\(name)")
          .expect(422, fields: ["style not-allowed"])
      }
      for url in ["file:///etc/passwd", "http://x@127.0.0.1:\(host.port)/a"] {
        try await server.get("/images/panels/a.png?style=\(url)")
          .expect(422, fields: ["style not-a-url"])
      }
      let five = Array(repeating: "\(origin)/a", count: 5).joined(separator: ",")
      try await server.get("/images/panels/a.png?style=\(five)")
        .expect(422, fields: ["style too-many"])
      // Also not the background of such an address.
      try await server.get(
        "/images/custom/a.png?background=\(origin)/a&style=https://example.org/a"
      )
      .expect(422, fields: ["style not-allowed"])
      // No address is made that the server would refuse.
      let long = "\(origin)/\(String(repeating: "/", count: 1500))"
      try await server.json(
        "POST", "/links", #"{"template": "panels", "style": ["\#(long)", "\#(long)"]}"#
      ).expect(422, fields: ["texts too-long"])
      #expect(host.requests.isEmpty)
    }
  }

  @Test func `what is no picture, or too large together, is an error of the field`() async throws {
    let photo = try Fixture.photo.bytes
    try await withHost({ request in
      switch request.target {
      case "/text": .file(Array("hello".utf8))
      case "/broken": .file(Array(photo.prefix(photo.count / 2)))
      // Decoders ignore what follows the picture.
      case "/large": .file(photo + [UInt8](repeating: 0, count: 3 << 20))
      default: .send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
      }
    }) { server, host, origin in
      try await server.get("/images/panels/a.png?style=\(origin)/missing")
        .expect(422, fields: ["style not-downloaded"])
      try await server.get("/images/panels/a.png?style=\(origin)/broken")
        .expect(422, fields: ["style broken-picture"])
      try await server.get("/images/panels/a.png?style=\(origin)/text").expect(415)
      try await server.get("/images/panels/a.png?style=\(origin)/large").expect(200)
      try await server.get("/images/panels/a.png?style=\(origin)/large,\(origin)/large")
        .expect(422, fields: ["style too-large"])
      try await server.get("/images/custom/a.png?background=\(origin)/large&style=\(origin)/large")
        .expect(422, fields: ["style too-large"])
    }
  }

  @Test func `addresses with such pictures are made and signed, and count for a limit`()
    async throws
  {
    let photo = try Fixture.photo.bytes
    try await withHost(
      { _ in .file(photo) },
      {
        $0.linkKey = "0123456789abcdef"
        $0.limitsRates = true
      }
    ) { server, host, origin in
      let ada = try await server.signUp("ada")
      try await server.get("/images/panels/a.png?style=\(origin)/a").expect(401)
      #expect(host.requests.isEmpty)
      let made = try await server.json(
        "POST", "/links",
        #"{"template": "panels", "texts": ["a"], "style": ["default", "\#(origin)/a,b"]}"#,
        token: ada
      ).expect(200)
      let other = try await server.json(
        "POST", "/memegen/images",
        #"{"template_id": "panels", "text": ["a"], "style": ["default", "\#(origin)/a,b"]}"#,
        token: ada
      ).expect(201)
      #expect(other.json.url.text == made.json.url.text)
      let url = try #require(made.json.url.text)
      let path = String(url.dropFirst("http://127.0.0.1:\(server.port)".count))
      #expect(path.hasPrefix("/images/panels/a.jpg?style=default,http%3A%2F%2F127.0.0.1%3A"))
      let drawn = try await server.get(path).expect(200)
      #expect(drawn["ratelimit"]?.contains("preview") == true)
      #expect(host.requests.map(\.target) == ["/a%2Cb"])
      let shown = try await server.get("/memegen/templates/panels", token: ada).expect(200).json
      #expect(shown.overlays == 2)
    }
  }
}
