import Bytes
import Crypto
import Foundation
import Support
import Testing
import Wire
import mememe

struct MemePageTests {
  private static let hostile = "</title><script>alert(1)</script>\" onload='x' & <b>"

  /// The attributes of every element with this name.
  private func elements(_ name: String, in page: String) throws -> [[String: String]] {
    let tag = try Regex("<\(name)((?: [a-z-]+=\"[^\"]*\")*)>")
    return page.matches(of: tag).map { match in
      let attributes = String(match.output[1].substring ?? "")
      return Dictionary(
        uniqueKeysWithValues: attributes.matches(of: /([a-z-]+)="([^"]*)"/).map {
          (String($0.1), unescaped(String($0.2)))
        })
    }
  }

  private func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  @Test func `the page shows the picture and has preview metadata`() async throws {
    try await withServer { server in
      let meme = try await server.upload(
        top: "one", bottom: "two", ["altText": "A cat that says two things"]
      ).expect(201).json
      let (id, base) = (try #require(meme.id.text), "http://127.0.0.1:\(server.port)")
      let answer = try await server.get("/m/\(id)").expect(200)
      #expect(answer["content-type"] == "text/html; charset=utf-8")
      #expect(answer["cache-control"] == "public, no-cache")
      let page = answer.response.text
      let picture = try #require(try elements("img", in: page).first)
      #expect(picture["src"] == meme.image.url.text)
      #expect(picture["width"] == "640" && picture["height"] == "480")
      #expect(picture["alt"] == "A cat that says two things")
      #expect(page.contains("<title>one – two</title>"))

      let meta = try elements("meta", in: page)
      func property(_ name: String) -> String? {
        meta.first { $0["property"] == name || $0["name"] == name }?["content"]
      }
      #expect(property("og:title") == "one – two")
      #expect(property("og:description") == "A cat that says two things")
      #expect(property("og:url") == "\(base)/m/\(id)")
      #expect(property("og:image") == "\(base)/memes/\(id)/image?v=1")
      #expect(property("og:image:type") == "image/jpeg")
      #expect(property("og:image:width") == "640" && property("og:image:height") == "480")
      #expect(property("og:image:alt") == "A cat that says two things")
      #expect(property("twitter:card") == "summary_large_image")
      #expect(property("twitter:image") == property("og:image"))

      let links = try elements("link", in: page)
      #expect(links.first { $0["rel"] == "canonical" }?["href"] == "\(base)/m/\(id)")
      let oembed = try #require(
        links.first { $0["type"] == "application/json+oembed" }?["href"])
      let embedding = try await server.get(String(oembed.dropFirst(base.count))).expect(200).json
      #expect(embedding.url.text == property("og:image"))
      // Crawlers and other sites fetch the picture, so any site may embed it.
      let image = try await server.get(String((embedding.url.text ?? "").dropFirst(base.count)))
      #expect(image.expect(200)["cross-origin-resource-policy"] == "cross-origin")
    }
  }

  @Test func `the page's policy allows only its own style and pictures`() async throws {
    try await withServer { server in
      let id = try #require(try await server.upload(.moving, top: "x").expect(201).json.id.text)
      let answer = try await server.get("/m/\(id)").expect(200)
      let style = try #require(answer.response.text.firstMatch(of: /(?s)<style>(.*)<\/style>/)?.1)
      let hash = Data(SHA256.digest(of: Bytes(String(style)))).base64EncodedString()
      #expect(
        answer["content-security-policy"]
          == "default-src 'none'; img-src 'self'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
      #expect(!answer.response.text.contains("style=\""))
    }
  }

  @Test func `user text is escaped on the page`() async throws {
    try await withServer { server in
      let meme = try await server.upload(
        .moving, top: Self.hostile, ["altText": Self.hostile]
      ).expect(201).json
      let page = try await server.get("/m/\(meme.id.text ?? "")")
        .expect(200, lacking: ["<script", "<b>", "\" onload", "'x'"]).response.text
      #expect(try elements("img", in: page).first?["alt"] == Self.hostile)
      #expect(try elements("meta", in: page).contains { $0["content"] == Self.hostile })
    }
  }

  @Test func `the page revalidates with 304 until the meme is deleted`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving, top: "x").expect(201)
      let target = "/m/\(meme.json.id.text ?? "")"
      let tag = try #require(try await server.get(target).expect(200)["etag"])
      let again = try await server.send("GET", target, headers: [("If-None-Match", tag)])
      #expect(again.expect(304).response.body.isEmpty)
      try await server.delete("/memes/\(meme.json.id.text ?? "")", token: server.adminToken)
        .expect(204)
      try await server.send("GET", target, headers: [("If-None-Match", tag)]).expect(410)
    }
  }

  @Test func `an edit shows on the page and in the links at once`() async throws {
    try await withServer { server in
      let id = try #require(
        try await server.upload(.moving, top: "before").expect(201).json.id.text)
      for target in ["/m/\(id)", "/memes/\(id)/share"] { try await server.get(target).expect(200) }
      try await server.send(
        "PATCH", "/memes/\(id)",
        headers: [
          ("Authorization", "Bearer \(server.adminToken)"), ("Content-Type", "application/json"),
        ], body: Array(#"{"top": "after"}"#.utf8)
      ).expect(200)
      let page = try await server.get("/m/\(id)").expect(200, lacking: ["before", "?v=1"])
      #expect(try elements("img", in: page.response.text).first?["src"] == "/memes/\(id)/image?v=2")
      #expect(try await server.get("/memes/\(id)/share").expect(200).json.title.text == "after")
    }
  }

  @Test func `a missing meme is an error page for browsers and a problem for programs`()
    async throws
  {
    try await withServer { server in
      let meme = try await server.upload(.moving, top: "x").expect(201).json
      let gone = "/m/\(meme.id.text ?? "")"
      try await server.get(gone).expect(200)
      try await server.delete("/memes/\(meme.id.text ?? "")", token: server.adminToken).expect(204)
      let browser = [
        ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8")
      ]
      for (target, status, code) in [
        (gone, 410, "gone"), ("/m/\(UUID().uuidString.lowercased())", 404, "not-found"),
        ("/m/x", 404, "not-found"),
      ] {
        try await server.get(target).expect(status, problem: code)
        let page = try await server.send("GET", target, headers: browser).expect(status)
        #expect(page["content-type"] == "text/html; charset=utf-8")
        #expect(page["cache-control"] == "no-store")
        #expect(page.response.text.hasPrefix("<!doctype html>"))
      }
    }
  }

  @Test func `without anonymous access the page requires a token`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      let answer = try await server.post(
        [.file("image", try Fixture.moving.bytes)], token: server.adminToken
      ).expect(201)
      let id = answer.json.id.text ?? ""
      for target in ["/m/\(id)", "/memes/\(id)/share", "/oembed?url=x"] {
        try await server.get(target).expect(401, problem: "unauthorized")
      }
      try await server.get("/m/\(id)", token: server.adminToken).expect(200)
    }
  }

  @Test func `without anonymous access a browser gets a page that leads to the sign-in`()
    async throws
  {
    try await withServer({ $0.anonymous = false }) { server in
      let answer = try await server.post(
        [.file("image", try Fixture.moving.bytes)], token: server.adminToken
      ).expect(201)
      let browser = [("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")]
      // The page does not reveal whether the meme exists.
      let ids = [answer.json.id.text ?? "", UUID().uuidString.lowercased()]
      for (id, link) in ids.map({ ($0, "/app/meme/\($0)") }) + [("x", "/")] {
        let page = try await server.send("GET", "/m/\(id)", headers: browser).expect(401)
        #expect(page["content-type"] == "text/html; charset=utf-8")
        #expect(page["cache-control"] == "no-store")
        #expect(page["www-authenticate"] == "Bearer realm=\"mememe\"")
        #expect(page["x-content-type-options"] == "nosniff")
        #expect(try elements("a", in: page.response.text).first?["href"] == link)
      }
      try await server.send(
        "GET", "/m/\(ids[0])",
        headers: browser + [("Authorization", "Bearer \(server.adminToken)")]
      ).expect(200)
    }
  }
}
