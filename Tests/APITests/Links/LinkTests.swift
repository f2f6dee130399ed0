import Crypto
import Eventually
import Foundation
import Support
import Testing
import Wire
import mememe

/// Memes that are drawn from an address.
struct LinkTests {
  private static let boxes = #"""
    [{"text": "this one", "x": 0.5, "y": 0, "width": 0.5, "height": 0.5},
    {"text": "that", "x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5, "case": "typed"}]
    """#

  /// - Returns: the ID of a template with two boxes and the alias `panels`.
  @discardableResult
  private func makePanels(on server: TestServer) async throws -> String {
    let made = try await server.keepTemplate(
      .photo, name: "Panels", [.field("boxes", Self.boxes), .field("aliases", "panels")]
    ).expect(201)
    return try #require(made.json.id.text)
  }

  private func location(
    _ server: TestServer, _ path: String, _ status: Int
  ) async throws -> String {
    let answer = try await server.get(path).expect(status)
    // Otherwise, a browser does not follow it from an image on another site.
    #expect(answer["cross-origin-resource-policy"] == "cross-origin")
    return try #require(answer["location"])
  }

  /// The size in the header of a PNG file (PNG §11.2.1).
  private static func size(ofPNG file: [UInt8]) throws -> (width: Int, height: Int) {
    try #require(file.count > 24)
    func number(at index: Int) -> Int { file[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(at: 16), number(at: 20))
  }

  @Test func `an address draws the meme that the form draws`() async throws {
    try await withServer { server in
      let id = try await makePanels(on: server)
      let drawn = try await server.get("/images/panels/C~h_or_Swift~q/yes.png?width=300")
        .expect(200)
      #expect(drawn["content-type"] == "image/png")
      #expect(drawn["cache-control"] == "public, max-age=3600")
      #expect(drawn["cross-origin-resource-policy"] == "cross-origin")
      let image = drawn.response.body
      let size = try Self.size(ofPNG: image)
      #expect(size.width == 300)
      let form = try await server.post(
        to: "/memes/preview",
        [
          .field("template", id), .field("texts", #"["C# or Swift?", "yes"]"#),
          .field("maxEdge", "\(max(size.width, size.height))"), .field("format", "png"),
        ]
      ).expect(200)
      #expect(form.response.body == image)
      #expect(
        try await server.get("/images/\(id)/C~h_or_Swift~q/yes.png?width=300").response.body
          == image)
      // With both edges, the picture is put on a canvas of this size. A server's limit of both holds.
      for (query, width, height) in [
        ("width=300&height=400", 300, 400), ("width=320&height=90", 320, 90),
        ("height=90", 120, 90), ("width=4096&height=1024", 2048, 512),
      ] {
        let drawn = try await server.get("/images/panels/C~h_or_Swift~q/yes.png?\(query)")
        let size = try Self.size(ofPNG: drawn.expect(200).response.body)
        #expect(size == (width, height), "\(query)")
      }
      // Nothing was stored.
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
      let tag = try #require(drawn["etag"])
      try await server.send(
        "GET", "/images/panels/C~h_or_Swift~q/yes.png?width=300",
        headers: [("If-None-Match", tag)]
      ).expect(304)
    }
  }

  @Test func `the size of an address is that of the meme with its bars`() async throws {
    try await withServer { server in
      try await makePanels(on: server)
      func size(_ query: String) async throws -> (width: Int, height: Int) {
        let drawn = try await server.get("/images/panels/above/below.png?\(query)").expect(200)
        return try Self.size(ofPNG: drawn.response.body)
      }
      // The picture has 640 × 480 pixels, and the bars are added to it.
      let standard = try await size("layout=top")
      #expect(standard.width == 640 && standard.height > 480)
      let narrow = try await size("layout=top&width=300")
      #expect(narrow.width == 300 && narrow.height > 225)
      let low = try await size("layout=top&height=200")
      #expect((150...200).contains(low.height) && low.width < 267)
      let exact = try await size("layout=top&width=300&height=400")
      #expect(exact == (300, 400))
      // Smaller than the smallest `maxEdge`.
      let tiny = try await size("width=12")
      #expect(tiny == (12, 9))
      let lowest = try await size("layout=top&height=12")
      #expect(lowest.height <= 12)
    }
  }

  @Test func `every frame of an animation gets the size of the address`() async throws {
    try await withServer { server in
      _ = try await server.post(
        to: "/templates",
        [
          .file("image", try MovingFixture.whole.bytes), .field("name", "Moving"),
          .field("aliases", "moving"),
        ]
      ).expect(201)
      let drawn = try await server.get("/images/moving/wow.gif?width=120&height=100").expect(200)
      let meme = try await server.post([.file("image", drawn.response.body)]).expect(201)
      #expect([meme.json.original.width.int, meme.json.original.height.int] == [120, 100])
      #expect(drawn["content-type"] == "image/gif")
      // Each frame has one block of this kind, which says how long it is shown (GIF89a §23).
      let delay: [UInt8] = [0x21, 0xF9, 0x04]
      let blocks = drawn.response.body.indices.filter {
        drawn.response.body[$0...].starts(with: delay)
      }
      #expect(blocks.count == 5)
    }
  }

  @Test func `another spelling, a missing format and an example are redirected`() async throws {
    let url = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://example.org/memes"], flags: []
    ).publicURL
    try await withServer({ $0.publicURL = url }) { server in
      let id = try await makePanels(on: server)
      for (path, target) in [
        ("panels/hello-world/what%3F.png", "panels/hello_world/what~q.png"),
        ("panels/a%20b.PNG?width=90", "panels/a_b.png?width=90"),
        ("panels/a/_.jpg", "panels/a.jpg"), ("panels/_/_.jpg", "panels.jpg"),
        ("panels//b.jpg", "panels/_/b.jpg"),
        ("panels/caf%C3%A9%2Fbar.jpg", "panels/caf%C3%A9~sbar.jpg"),
        ("panels/so_:thumbs_up:.jpg", "panels/so_%F0%9F%91%8D.jpg"),
        ("panels/../b.jpg", "panels/_../b.jpg"), ("panels/%2E/b.jpg", "panels/_./b.jpg"),
      ] {
        #expect(try await location(server, "/images/\(path)", 301) == "/memes/images/\(target)")
      }
      for (path, target) in [
        ("panels", "panels/this_one/that.jpg"), ("panels/a/b", "panels/a/b.jpg"),
        ("\(id)?font=comic", "\(id)/this_one/that.jpg?font=comic"),
        ("panels/v1.0", "panels/v1.0.jpg"),
      ] {
        #expect(try await location(server, "/images/\(path)", 302) == "/memes/images/\(target)")
      }
      // Escapes that are not needed are no other spelling.
      try await server.get("/images/panels/%61%28%29.jpg").expect(200)
      try await server.get("/images/panels.jpg").expect(200)
    }
  }

  @Test func `example texts that are too long for an address are cut`() async throws {
    try await withServer { server in
      let text = String(repeating: "猫_", count: 60)
      let box = #"{"text": "\#(text)", "x": 0, "y": 0, "width": 1, "height": 1}"#
      for (alias, count) in [("one", 1), ("twenty", 20)] {
        let boxes = Array(repeating: box, count: count).joined(separator: ",")
        _ = try await server.keepTemplate(
          .photo, name: alias, [.field("boxes", "[\(boxes)]"), .field("aliases", alias)]
        ).expect(201)
        let path = try await location(server, "/images/\(alias)", 302)
        #expect(path.utf8.count < 4200 && path.hasPrefix("/images/\(alias)/%E7%8C%AB__%E7"))
        try await server.get(path).expect(200)
        let shown = try await server.get("/memegen/templates/\(alias)").expect(200).json
        #expect(shown.example.url.text?.hasSuffix(path) == true)
      }
    }
  }

  @Test func `options change the size, the font and the colors`() async throws {
    try await withServer { server in
      try await makePanels(on: server)
      let plain = try await server.get("/images/panels/a/b.png?height=100").expect(200)
      #expect(try Self.size(ofPNG: plain.response.body).height == 100)
      var seen: Set<[UInt8]> = [plain.response.body]
      for option in ["font=comic", "color=red", "color=red,%2300ff00", "layout=top", "width=50"] {
        let other = try await server.get("/images/panels/a/b.png?height=100&\(option)").expect(200)
        #expect(seen.insert(other.response.body).inserted, "\(option)")
      }
      // The names of memegen for similar fonts.
      let thick = try await server.get("/images/panels/a/b.png?height=100&font=thick&style=default")
      #expect(thick.response.body == plain.response.body)
    }
  }

  @Test func `invalid addresses are told what is wrong`() async throws {
    try await withServer { server in
      try await makePanels(on: server)
      try await server.get("/images/nothing/a.png").expect(404, problem: "not-found")
      try await server.get("/images/Not-an-alias/a.png").expect(404, problem: "not-found")
      let long = String(repeating: "a", count: 201)
      try await server.get("/images/panels/\(long).png").expect(414, problem: "uri-too-long")
      try await server.get("/images/panels/a/b/c.png").expect(422, fields: ["lines too-many"])
      try await server.get("/images/panels/a.png?width=9&height=x&font=none&color=sand&style=maga")
        .expect(
          422,
          fields: [
            "width out-of-range", "height not-a-number", "font unknown-font",
            "color invalid-colour", "style not-allowed",
          ])
      try await server.get("/images/panels/a.png?background=x&scale=2")
        .expect(422, fields: ["background not-a-url", "scale unknown-field"])
      try await server.get("/images/panels/a.png?width=10&width=20")
        .expect(422, fields: ["width duplicate"])
      try await server.send("POST", "/images/panels/a.png").expect(405)
    }
  }

  @Test func `a change or the deletion of the template is seen at once`() async throws {
    try await withServer { server in
      let id = try await makePanels(on: server)
      let before = try await server.get("/images/panels/a/b.png?width=200").expect(200)
      try await server.get("/images/panels/a/b.png?width=200").expect(200)
      try await server.patch(
        "/templates/\(id)", #"{"boxes": []}"#, token: server.adminToken
      ).expect(200)
      let after = try await server.get("/images/panels/a/b.png?width=200").expect(200)
      #expect(after.response.body != before.response.body)
      try await server.get("/images/\(id)/a/b.png?width=200").expect(200)
      try await server.delete("/templates/\(id)", token: server.adminToken).expect(204)
      try await server.get("/images/\(id)/a/b.png?width=200").expect(410, problem: "gone")
      try await server.get("/images/panels/a/b.png?width=200").expect(404)
    }
  }

  @Test func `only one spelling of an address is answered from the cache of responses`()
    async throws
  {
    try await withServer { server in
      try await makePanels(on: server)
      func isCached(_ path: String) async throws -> Bool {
        let name = "mememe_answers_from_memory_total"
        let first = try await server.get(path).expect(200)
        let before = try await server.metrics().value(name)
        let second = try await server.get(path).expect(200)
        #expect(second.response.body == first.response.body)
        #expect(second["cache-control"] == first["cache-control"])
        return try await server.metrics().value(name) > before
      }
      for path in ["/images/panels/a/b.png?width=90&height=80", "/images/panels.png"] {
        // A response is kept for a second after its template was read, and drawing may take longer.
        try await eventually("\(path) is answered from memory") { try await isCached(path) }
      }
      for spelling in [
        "panels/a/b.png?height=80&width=90", "panels/a/b.png?width=90&height=80&s=1",
        "panels/%61/b.png?width=90&height=80", "panels/a/b.png?width=090&height=80",
      ] {
        #expect(try await !isCached("/images/\(spelling)"), "\(spelling)")
      }
    }
  }

  @Test func `a server with a key draws only signed addresses without credentials`() async throws {
    try await withServer({ $0.linkKey = "0123456789abcdef" }) { server in
      try await makePanels(on: server)
      let ada = try await server.signUp("ada")
      try await server.get("/images/panels/a/b.png").expect(401, problem: "unauthorized")
      try await server.get("/images/panels").expect(401)
      try await server.get("/images/panels/a/b.png?s=AAAAAAAAAAAAAAAAAAAAAA").expect(401)
      let own = try await server.get("/images/panels/a/b.png", token: ada).expect(200)
      #expect(own["cache-control"] == "private, no-cache")
      let body = #"{"template": "panels", "texts": ["a b", "é"], "width": 100, "color": ["red"]}"#
      try await server.json("POST", "/links", body).expect(401)
      let made = try await server.json("POST", "/links", body, token: ada).expect(200)
      let url = try #require(made.json.url.text)
      let prefix = "http://127.0.0.1:\(server.port)"
      #expect(url.hasPrefix("\(prefix)/images/panels/a_b/%C3%A9.jpg?width=100&color=ff0000&s="))
      let path = String(url.dropFirst(prefix.count))
      let drawn = try await server.get(path).expect(200)
      #expect(drawn["cache-control"] == "public, max-age=3600")
      for changed in [
        path.replacing("a_b", with: "a_c"), path.replacing("100", with: "101"),
        path.replacing("&color=ff0000", with: ""), path.replacing(".jpg", with: ".png"),
        path + "&height=100",
      ] {
        try await server.get(changed).expect(401)
      }
      // The signature belongs to the meaning of the path, so that another spelling still leads there.
      let other = try await location(server, path.replacing("a_b", with: "a-b"), 301)
      #expect(other == path)
      // A caller with credentials needs none.
      let example = try await server.get("/images/panels?font=comic", token: ada).expect(302)
      #expect(example["location"] == "/images/panels/this_one/that.jpg?font=comic")
    }
  }

  @Test func `a signed address without a format leads to a signed one with a format`() async throws
  {
    let key = "0123456789abcdef"
    try await withServer({ $0.linkKey = key }) { server in
      try await makePanels(on: server)
      // The documented signature, which other programs can make.
      let code = HMACSHA256.code(for: Array("/images/panels/a?width=99".utf8), key: Array(key.utf8))
      let signature = Base64URL.encode(code).prefix(22)
      let found = try await location(server, "/images/panels/a?width=99&s=\(signature)", 302)
      #expect(found.hasPrefix("/images/panels/a.jpg?width=99&s="))
      try await server.get(found).expect(200)
    }
  }

  @Test func `a private server draws signed addresses, which no other server accepts`() async throws
  {
    var path = ""
    try await withServer({ $0.anonymous = false }) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.keepTemplate(
        .photo, name: "Panels", [.field("aliases", "panels")], token: ada
      ).expect(201)
      try await server.get("/images/panels/a.png").expect(401)
      try await server.get("/templates/panels").expect(401)
      let made = try await server.json(
        "POST", "/links", #"{"template": "panels", "texts": ["a"], "format": "png"}"#, token: ada
      ).expect(200)
      path = String(
        try #require(made.json.url.text?.dropFirst("http://127.0.0.1:\(server.port)".count)))
      #expect(try await server.get(path).expect(200)["cache-control"] == "public, max-age=3600")
    }
    let known = path
    try await withServer({ $0.anonymous = false }) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.keepTemplate(
        .photo, name: "Panels", [.field("aliases", "panels")], token: ada
      ).expect(201)
      // The clusters of the tests have the same key.
      try await server.get(known).expect(Cluster.isTested ? 200 : 401)
    }
  }

  @Test func `links are checked before they are made`() async throws {
    try await withServer { server in
      try await makePanels(on: server)
      for (body, field) in [
        (#"{"template": "nothing"}"#, "template unknown-template"),
        (#"{"template": "Not an alias"}"#, "template unknown-template"),
        (#"{"texts": []}"#, "template missing"),
        (#"{"template": "panels", "texts": ["a", "b", "c"]}"#, "texts too-many"),
        (
          #"{"template": "panels", "texts": ["\#(String(repeating: "é", count: 120))"]}"#,
          "texts too-long"
        ),
        (#"{"template": "panels", "texts": [1]}"#, "texts[0] not-a-text"),
        (#"{"template": "panels", "format": "bmp"}"#, "format not-allowed"),
      ] {
        try await server.json("POST", "/links", body).expect(422, fields: [field])
      }
      let made = try await server.json("POST", "/links", #"{"template": "panels"}"#).expect(200)
      #expect(made.json.url.text?.hasSuffix("/images/panels.jpg") == true)
      // Clients would remove the segments `.` and `..` from the path.
      for (texts, path) in [
        (#"["..", "b"]"#, "_../b.jpg"), (#"[".", ".."]"#, "_./...jpg"),
        (#"["...", "."]"#, ".../..jpg"),
      ] {
        let body = #"{"template": "panels", "texts": \#(texts)}"#
        let made = try await server.json("POST", "/links", body).expect(200)
        #expect(made.json.url.text?.hasSuffix("/images/panels/\(path)") == true, "\(texts)")
        try await server.get("/images/panels/\(path)").expect(200)
      }
    }
  }
}
