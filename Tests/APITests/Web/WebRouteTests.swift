import Bytes
import Foundation
import Support
import Testing
import Wire
import mememe

struct WebRouteTests {
  @Test(arguments: [
    "/", "/?utm_source=x", "/app/grid", "/app/meme/1", "/app/user/ada/followers", "/reset-password",
  ])
  func `every app URL returns the page with a strict policy`(_ target: String) async throws {
    try await withServer { server in
      let answer = try await server.get(target).expect(200)
      #expect(answer["content-type"] == "text/html; charset=utf-8")
      #expect(answer["cache-control"] == "public, no-cache")
      #expect(answer["referrer-policy"] == "no-referrer")
      let policy = try #require(answer["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"))
      #expect(!policy.contains("unsafe"))
      let page = answer.response.text
      #expect(!page.contains("{{") && !page.contains("style=") && !page.contains(" on"))
      #expect(!page.contains("<script>") && !page.contains("<style"))
      let tag = try #require(answer["etag"])
      try await server.send("GET", target, headers: [("If-None-Match", tag)]).expect(304)
    }
  }

  @Test
  func `the page's files have URLs of one version that are immutable`() async throws {
    try await withServer { server in
      let page = try await server.get("/").expect(200).response.text
      let files = page.matches(of: /(?:src|href)="(\/web\/[^"]+)"/).map { String($0.1) }
      #expect(files.count > 20)
      for file in files {
        let answer = try await server.get(file).expect(200)
        #expect(answer["cache-control"] == "public, max-age=31536000, immutable")
        #expect(answer["etag"] != nil && answer["x-content-type-options"] == "nosniff")
        let type: String? =
          switch file.split(separator: ".").last {
          case "js": "text/javascript; charset=utf-8"
          case "css": "text/css; charset=utf-8"
          case "png": "image/png"
          default: "image/svg+xml"
          }
        #expect(answer["content-type"] == type, "\(file)")
      }
      let version = try #require(files.first?.split(separator: "/").dropFirst().first)
      let another = (files.first ?? "").replacing(version, with: "0123456789abcdef")
      try await server.get(another).expect(404, problem: "not-found")
      try await server.get("/web/\(version)/app/nothing.js").expect(404)
      try await server.get("/web/\(version)/..%2Fapp/main.js").expect(404)
    }
  }

  /// The list has to match the files exactly: with one wrong name, a browser caches nothing.
  @Test func `the service worker lists every file of its version`() async throws {
    try await withServer { server in
      let answer = try await server.get("/service-worker.js").expect(200)
      #expect(answer["content-type"] == "text/javascript; charset=utf-8")
      #expect(answer["cache-control"] == "public, no-cache")
      let script = answer.response.text
      #expect(!script.contains("{{"))
      let version = try #require(script.firstMatch(of: /\/web\/([0-9a-f]{16})\/offline/)?.1)
      let list = try #require(script.firstMatch(of: /work\('([^']+)'/)?.1)
      let names = list.split(separator: " ").map(String.init)
      #expect(Set(names) == Set(Assets.web.map(\.path).filter { $0.contains("/") }))
      for name in names { try await server.get("/web/\(version)/\(name)").expect(200) }
    }
  }

  @Test func `the manifest has everything that browsers need to install the app`() async throws {
    try await withServer { server in
      let manifest = try await server.get("/manifest.webmanifest").expect(200).json
      #expect(manifest.display.text == "standalone" && manifest.name.text == "MemeMe")
      let icons = manifest.icons.elements.map { "\($0.sizes.text ?? "") \($0.purpose.text ?? "")" }
      for wanted in ["192x192 any", "512x512 any", "192x192 maskable", "512x512 maskable"] {
        #expect(icons.contains(wanted))
      }
      for icon in manifest.icons.elements {
        let file = try await server.get(try #require(icon.src.text)).expect(200)
        #expect(file["content-type"] == icon.type.text)
      }
    }
  }

  @Test func `behind a path prefix every URL has the prefix and another version`() async throws {
    var plain = ""
    try await withServer { plain = try await $0.get("/").expect(200).response.text }
    let settings = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://memes.example/part"], flags: [])
    try await withServer({ $0.publicURL = settings.publicURL }) { server in
      let page = try await server.get("/").expect(200).response.text
      #expect(page.contains(#"src="/part/web/"#) && !page.contains(#"src="/web/"#))
      let manifest = try await server.get("/manifest.webmanifest").expect(200)
      #expect(manifest["content-type"] == "application/manifest+json")
      #expect(manifest.json.start_url.text == "/part/")
      let version = /\/web\/([0-9a-f]{16})\//
      #expect(page.firstMatch(of: version)?.1 != plain.firstMatch(of: version)?.1)
    }
  }

  @Test func `with gzip the same file is served in fewer bytes`() async throws {
    try await withServer { server in
      let plain = try await server.get("/").expect(200)
      #expect(plain["content-encoding"] == nil && plain["vary"] == "Accept-Encoding")
      let gzip = [("Accept-Encoding", "br, gzip")]
      let small = try await server.send("GET", "/", headers: gzip).expect(200)
      #expect(small["content-encoding"] == "gzip" && small["vary"] == "Accept-Encoding")
      #expect(small.response.body.count * 2 < plain.response.body.count)
      let unpacked = try Python.run(
        "import base64, gzip, sys; sys.stdout.buffer.write(gzip.decompress(base64.b64decode(sys.argv[1])))",
        Data(small.response.body).base64EncodedString())
      #expect(unpacked.elementsEqual(plain.response.body))
      let tag = try #require(small["etag"])
      #expect(tag != plain["etag"])
      try await server.send("GET", "/", headers: gzip + [("If-None-Match", tag)]).expect(304)
      try await server.send("GET", "/", headers: [("If-None-Match", tag)]).expect(200)
    }
  }

  @Test func `the app is served without anonymous access, and knows about it`() async throws {
    for anonymous in [true, false] {
      try await withServer({ $0.anonymous = anonymous }) { server in
        let page = try await server.get("/").expect(200).response.text
        #expect(page.contains(#"<html lang="en" data-anonymous="\#(anonymous)" "#))
      }
    }
  }

  /// If this fails, a file was added or removed without running `script/embed`.
  @Test func `every file of Sources/Web is embedded`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Web")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.contains(".") && !$0.hasPrefix(".") }
    #expect(Set(files) == Set(Assets.web.map(\.path)))
    for (path, bytes) in Assets.web {
      let file = try Data(contentsOf: folder.appending(path: path))
      #expect(bytes.withUnsafeBytes { $0.elementsEqual(file) }, "\(path)")
    }
  }
}
