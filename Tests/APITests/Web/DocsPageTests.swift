import Foundation
import Support
import Testing
import Wire
import mememe

struct DocsPageTests {
  /// The largest size of the page with all files that it loads at the start, uncompressed, in bytes. The contract is
  /// not included.
  private static let maximumBytes = 150_000

  @Test func `the page of the API has a strict policy and neither inline scripts nor styles`()
    async throws
  {
    try await withServer { server in
      let answer = try await server.get("/docs").expect(200)
      #expect(answer["content-type"] == "text/html; charset=utf-8")
      #expect(answer["cache-control"] == "public, no-cache")
      let policy = try #require(answer["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(policy.contains("connect-src 'self'; ") && policy.contains("img-src 'self' blob:"))
      #expect(!policy.contains("unsafe"))
      let page = answer.response.text
      #expect(!page.contains("{{") && !page.contains("style=") && !page.contains(" on"))
      #expect(!page.contains("<script>") && !page.contains("<style"))
      let tag = try #require(answer["etag"])
      try await server.send("GET", "/docs", headers: [("If-None-Match", tag)]).expect(304)
    }
  }

  @Test func `the page loads files of this server only, of at most 150 KB in total`() async throws {
    try await withServer { server in
      let page = try await server.get("/docs").expect(200).response
      #expect(!page.text.contains("//"))
      let files = Set(page.text.matches(of: /(?:src|href)="(\/web\/[^"]+)"/).map { String($0.1) })
      #expect(files.contains { $0.hasSuffix("/docs/main.js") })
      var bytes = page.body.count
      for file in files {
        let body = try await server.get(file).expect(200).response
        bytes += body.body.count
        // Modules import only modules that the page preloads, so the total includes all of them.
        for module in body.text.matches(of: /from '\.{1,2}\/([^']+)'/) {
          #expect(files.contains { $0.hasSuffix("/\(module.1)") }, "\(file) imports \(module.1)")
        }
      }
      #expect(bytes <= Self.maximumBytes)
    }
  }

  @Test func `without scripts the page links to the contract in both forms`() async throws {
    try await withServer { server in
      let page = try await server.get("/docs").expect(200).response.text
      #expect(page.contains("<title>MemeMe API</title>"))
      let fallback = try #require(page.firstMatch(of: /(?s)<noscript>(.+)<\/noscript>/)?.1)
      for name in ["/openapi.yaml", "/openapi.json"] {
        #expect(fallback.contains("href=\"\(name)\""))
        try await server.get(name).expect(200)
      }
    }
  }

  @Test func `behind a path prefix every URL of the page has the prefix`() async throws {
    let settings = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://memes.example/part"], flags: [])
    try await withServer({ $0.publicURL = settings.publicURL }) { server in
      let page = try await server.get("/docs").expect(200).response.text
      #expect(page.contains(#"href="/part/openapi.json""#))
      #expect(page.contains(#"src="/part/web/"#))
      #expect(!page.contains(#"="/web/"#) && !page.contains(#"="/openapi"#))
    }
  }
}
