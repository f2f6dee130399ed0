import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

@testable import API

/// `GET /memes.atom`
struct AtomFeedTests {
  private func feed(
    _ server: TestServer, _ query: String = "", token: String? = nil
  ) async throws -> ParsedXML {
    let answer = try await server.get("/memes.atom\(query)", token: token).expect(200)
    #expect(answer["content-type"] == "application/atom+xml; charset=utf-8")
    return try ParsedXML.parse(answer.response.body)
  }

  /// The URLs of the memes in a feed.
  private func listed(_ feed: ParsedXML) -> [String] {
    feed.all("entry").map { "/memes/\($0["id"]?.dropFirst("urn:uuid:".count) ?? "")" }
  }

  private static let publicURL: PublicURL? =
    try? Settings(environment: ["MEMEME_PUBLIC_URL": "https://memes.example/part"], flags: [])
    .publicURL

  @Test func `a feed of a tag has the public memes with it, and entries name their tags`()
    async throws
  {
    try await withServer({ $0.publicURL = Self.publicURL }) { server in
      let ada = try await server.signUp("ada")
      let tagged = try await server.make("public", ["tags": "日本語,cat"], token: ada)
      _ = try await server.make("private", ["tags": "日本語"], token: ada)
      _ = try await server.make("public", token: ada)
      let feed = try await feed(server, "?tag=%E6%97%A5%E6%9C%AC%E8%AA%9E", token: ada)
      let url = "https://memes.example/part/memes.atom?tag=%E6%97%A5%E6%9C%AC%E8%AA%9E"
      #expect(feed["id"] == url && feed.links("self").map { $0["href"] } == [url])
      #expect(feed["title"] == "Memes tagged 日本語 on memes.example")
      #expect(listed(feed) == [String(tagged.suffix(43))])
      let entry = try #require(feed.all("entry").first)
      #expect(entry.all("category").count == 2)
      #expect(try listed(await self.feed(server, "?tag=none")).isEmpty)
    }
  }

  @Test func `a feed and its entry have all the elements that feed readers use`() async throws {
    try await withServer({ $0.publicURL = Self.publicURL }) { server in
      let ada = try await server.signUp("ada")
      try await server.patch("/users/me", #"{"displayName": "Ada & Co"}"#, token: ada).expect(200)
      let url = String(
        try await server.make(
          top: "so it\nbegins", ["bottom": "now", "altText": "A <cat>"], token: ada
        )
        .suffix(43))
      let id = url.dropFirst("/memes/".count)
      let meme = try await server.get(url).expect(200).json
      let base = "https://memes.example/part"

      let feed = try await feed(server)
      #expect(feed.name == "http://www.w3.org/2005/Atom feed")
      #expect(feed["id"] == "\(base)/memes.atom")
      #expect(feed["title"] == "Memes on memes.example")
      #expect(feed["updated"] == meme.updatedAt.text)
      #expect(feed.all("author").map { $0["name"] } == ["MemeMe"])
      #expect(feed.links("self").map { $0["href"] } == ["\(base)/memes.atom"])
      #expect(feed.links("self").map { $0["type"] } == ["application/atom+xml"])
      #expect(feed.links("alternate").map { $0["href"] } == ["\(base)/"])

      let entry = try #require(feed.all("entry").first)
      #expect(feed.all("entry").count == 1)
      #expect(entry["id"] == "urn:uuid:\(id)")
      #expect(entry["title"] == "so it begins")
      #expect(entry["published"] == meme.createdAt.text)
      #expect(entry["updated"] == meme.updatedAt.text)
      #expect(entry.all("author").map { $0["name"] } == ["Ada & Co"])
      #expect(entry.all("author").map { $0["uri"] } == ["\(base)/app/user/ada"])
      #expect(
        entry.links("alternate") == [
          ["rel": "alternate", "type": "text/html", "href": "\(base)/m/\(id)"]
        ])
      let picture = "\(base)/memes/\(id)/image?v=1"
      let bytes = try #require(meme.image.bytes.int)
      #expect(
        entry.links("enclosure") == [
          [
            "rel": "enclosure", "type": "image/jpeg", "href": picture,
            "length": "\(bytes)",
          ]
        ])
      #expect(entry.all("content").first?.attributes == ["type": "html"])
      let (width, height) = (meme.image.width.int ?? 0, meme.image.height.int ?? 0)
      #expect(
        entry["content"]
          == #"<img src="\#(picture)" width="\#(width)" height="\#(height)" alt="A &lt;cat&gt;">"#)
    }
  }

  @Test func `only public memes are listed, whoever asks, newest first`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let first = try await server.make(top: "first", token: ada)
      for hidden in ["private", "friends"] {
        _ = try await server.make(hidden, top: "hidden", token: ada)
      }
      let anonymous = try await server.make(top: "second")
      for token in [nil, ada, server.adminToken] {
        #expect(try await listed(feed(server, token: token)) == [anonymous, first])
        #expect(try await listed(feed(server, "?author=ada", token: token)) == [first])
        #expect(try await listed(feed(server, "?author=ADA", token: token)) == [first])
      }
      let entry = try #require(try await feed(server).all("entry").first)
      #expect(entry.all("author").map { $0["name"] } == ["MemeMe"])

      try await server.patch(first, #"{"visibility": "private"}"#, token: ada).expect(200)
      #expect(try await listed(feed(server)) == [anonymous])
      #expect(try await listed(feed(server, "?author=ada", token: ada)).isEmpty)
    }
  }

  @Test func `a feed ends after fifty memes`() async throws {
    try await withServer { server in
      let oldest = try await server.make(top: "oldest")
      for number in 1...49 { _ = try await server.make(top: "\(number)") }
      #expect(try await listed(feed(server)).last == oldest)
      let newest = try await server.make(top: "newest")
      let urls = try await listed(feed(server))
      #expect(urls.count == 50 && urls.first == newest && !urls.contains(oldest))
    }
  }

  @Test func `hostile captions, texts and names leave the document well-formed`() async throws {
    let hostile = "]]> <![CDATA[ & &amp; </title><b a='\"'> \u{202E}x\u{FFFE}y\u{FFFF} 👩🏽‍🚀"
    let shown = hostile.replacing("\u{FFFE}", with: "").replacing("\u{FFFF}", with: "")
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let name = try JSONEncoder().encode(["displayName": "]]>&<\u{FFFE}"])
      try await server.patch("/users/me", String(decoding: name, as: UTF8.self), token: ada)
        .expect(200)
      _ = try await server.make(top: hostile, ["altText": "\(hostile)\r\nnext"], token: ada)
      let entry = try #require(try await feed(server, "?author=ada").all("entry").first)
      #expect(entry["title"] == shown)
      #expect(entry.all("author").first?["name"] == "]]>&<")
      let alt = shown.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
      #expect(entry["content"]?.hasSuffix(" alt=\"\(alt)\nnext\">") == true)
    }
  }

  @Test func `text keeps every character that XML allows, and loses the others`() throws {
    let scalars = (0...0x1_0400).compactMap(Unicode.Scalar.init) + ["\u{10FFFE}"]
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    let document: XML = "<a b=\"\(text)\">\(text)</a>"
    let parsed = try ParsedXML.parse(Array(document.text.utf8))
    var allowed = String.UnicodeScalarView()
    allowed.append(
      contentsOf: scalars.filter {
        $0.value >= 0x20 && !(0xFFFE...0xFFFF).contains($0.value)
          || "\t\n\r".unicodeScalars.contains($0)
      })
    #expect(Array(parsed.text.unicodeScalars) == Array(allowed))
    #expect(parsed.attributes["b"].map { Array($0.unicodeScalars) } == Array(allowed))
  }

  @Test func `a meme without captions is titled by its alt text`() async throws {
    try await withServer { server in
      _ = try await server.make(top: " ", ["altText": "A\ncat"])
      #expect(try await feed(server).all("entry").first?["title"] == "A cat")
      let boxes =
        #"[{"text": " ", "x": 0, "y": 0, "width": 1, "height": 0.5}, {"text": "me"#
        + #"", "x": 0, "y": 0.5, "width": 1, "height": 0.5}]"#
      var parts: [FormBody.Part] = [.file("image", try Fixture.moving.bytes)]
      parts.append(.field("captions", boxes))
      try await server.post(parts).expect(201)
      #expect(try await feed(server).all("entry").first?["title"] == "me")
    }
  }

  @Test func `readers revalidate, and see each change at once`() async throws {
    try await withServer { server in
      func tag() async throws -> String {
        let answer = try await server.get("/memes.atom").expect(200)
        #expect(answer["cache-control"] == "private, no-cache")
        return try #require(answer["etag"])
      }
      let empty = try await tag()
      #expect(try await tag() == empty)
      #expect(try await feed(server)["updated"] == "1970-01-01T00:00:00.000Z")
      let url = try await server.make(top: "x")
      let full = try await tag()
      #expect(full != empty)
      let again = try await server.send(
        "GET", "/memes.atom", headers: [("If-None-Match", full)])
      #expect(again.expect(304).response.body.isEmpty)
      let head = try await server.send("HEAD", "/memes.atom").expect(200)
      #expect(head["etag"] == full && head.response.body.isEmpty)
      // Counts are not part of a feed.
      try await server.json("POST", "\(url)/shares", #"{"channel": "link"}"#).expect(204)
      #expect(try await tag() == full)
      try await server.delete(url, token: server.adminToken).expect(204)
      #expect(try await tag() == empty)
    }
  }

  @Test func `a feed of an author follows the account when it is renamed`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let id = try #require(
        try await server.get("/users/me", token: ada).expect(200).json.id.text)
      func check(_ name: String, shown: String) async throws {
        let feed = try await feed(server, "?author=\(name)")
        #expect(feed["id"] == "urn:uuid:\(id)")
        #expect(feed["title"]?.hasPrefix("Memes by \(shown) on ") == true)
        #expect(feed.all("author").map { $0["name"] } == [shown])
        #expect(feed.links("self").first?["href"]?.hasSuffix("/memes.atom?author=\(name)") == true)
        #expect(feed.links("alternate").first?["href"]?.hasSuffix("/app/user/\(name)") == true)
      }
      try await check("ada", shown: "ada")
      try await server.patch("/users/me", #"{"displayName": "A & B"}"#, token: ada).expect(200)
      try await check("ada", shown: "A & B")
      try await server.patch("/users/me", #"{"username": "byron"}"#, token: ada).expect(200)
      try await check("byron", shown: "A & B")
      for former in ["ada", "ADA"] {
        let answer = try await server.get("/memes.atom?author=\(former)", token: ada).expect(308)
        #expect(answer["location"] == "/memes.atom?author=byron")
        #expect(answer["cache-control"] == "no-store" && answer.response.body.isEmpty)
      }
      for unknown in ["nobody", "me", "", "x%2F"] {
        try await server.get("/memes.atom?author=\(unknown)").expect(404, problem: "not-found")
      }
    }
  }

  @Test func `a parameter that the feed does not have is rejected`() async throws {
    try await withServer { server in
      for name in ["q", "limit", "cursor", "view"] {
        try await server.get("/memes.atom?\(name)=1")
          .expect(422, problem: "invalid-input", fields: ["\(name) unknown-field"])
      }
      try await server.get("/memes.atom?tag=a%20b")
        .expect(422, problem: "invalid-input", fields: ["tag invalid-tag"])
      try await server.get("/memes.atom?tag=a&author=ada")
        .expect(422, problem: "invalid-input", fields: ["author not-together"])
      try await server.send("POST", "/memes.atom").expect(405)
    }
  }

  @Test(arguments: [true, false])
  func `pages link to the feed if it can be read`(anonymous: Bool) async throws {
    try await withServer({ ($0.anonymous, $0.publicURL) = (anonymous, Self.publicURL) }) { server in
      let ada = try await server.signUp("ada")
      let own = try await server.make(top: "x", token: ada).suffix(36)
      let other = try await server.make(top: "x", token: server.adminToken).suffix(36)
      func links(_ target: String) async throws -> [String] {
        let page = try await server.get(target, token: ada).expect(200).response.text
        return page.matches(
          of: /<link rel="alternate" type="application\/atom\+xml" href="([^"]*)" title="[^"]+">/
        ).map { String($0.1) }
      }
      let base = "https://memes.example/part"
      #expect(try await links("/") == (anonymous ? ["/part/memes.atom"] : []))
      #expect(
        try await links("/m/\(own)") == (anonymous ? ["\(base)/memes.atom?author=ada"] : []))
      #expect(try await links("/m/\(other)") == (anonymous ? ["\(base)/memes.atom"] : []))
    }
  }
}
