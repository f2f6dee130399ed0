import Eventually
import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

/// Memes by address with a picture of another server.
struct CustomPictureTests {
  @Test func `a picture of a named host is fetched once and drawn like an uploaded one`()
    async throws
  {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }) { server, host, origin in
      try await server.get("/images/custom/hello-world.jpg?background=\(origin)/a.jpg").expect(301)
      #expect(host.requests.isEmpty)
      for path in ["hello/world.jpg", "hello/world.jpg", "other_texts.png", "hello"] {
        let path = "/images/custom/\(path)?width=300&background=\(origin)/a%20b.jpg?x=1"
        try await server.get(path.replacing("%20", with: "%2520")).expect(
          path.contains("/hello?") ? 302 : 200)
      }
      #expect(host.requests.map(\.target) == ["/a%20b.jpg?x=1"])
      #expect(host.requests.first?.headers["authorization"] == nil)
      let drawn = try await server.get(
        "/images/custom/hello/world.jpg?width=300&background=\(origin)/a%2520b.jpg?x=1"
      ).expect(200)
      #expect(drawn["content-type"] == "image/jpeg")
      #expect(drawn["cache-control"] == "public, max-age=3600")
      let form = try await server.post(
        to: "/memes/preview",
        [
          .file("image", photo), .field("top", "hello"), .field("bottom", "world"),
          .field("maxEdge", "300"), .field("format", "jpeg"),
        ]
      ).expect(200)
      #expect(form.response.body == drawn.response.body)
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `a link to such a picture is made and signed`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }, { $0.linkKey = "0123456789abcdef" }) {
      server, host, origin in
      let ada = try await server.signUp("ada")
      // Nothing is fetched for callers who may not draw.
      try await server.get("/images/custom/a.png?background=\(origin)/a.jpg").expect(401)
      #expect(host.requests.isEmpty)
      let made = try await server.json(
        "POST", "/links",
        #"{"template": "custom", "texts": ["a"], "background": "\#(origin)/a.jpg"}"#, token: ada
      ).expect(200)
      let other = try await server.json(
        "POST", "/memegen/images",
        #"{"template_id": "custom", "text": ["a"], "background": "\#(origin)/a.jpg"}"#, token: ada
      ).expect(201)
      #expect(other.json.url.text == made.json.url.text)
      let url = try #require(made.json.url.text)
      let path = String(url.dropFirst("http://127.0.0.1:\(server.port)".count))
      #expect(path.hasPrefix("/images/custom/a.jpg?background=http%3A%2F%2F127.0.0.1%3A"))
      try await server.get(path).expect(200)
      #expect(host.requests.count == 1)
    }
  }

  @Test func `only named hosts are asked, and only for the template custom`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }) { server, host, origin in
      let port = host.port
      for url in [
        "http://127.0.0.1/a.jpg", "https://127.0.0.1/a.jpg", "http://localhost:\(port)/a.jpg",
        "http://127.0.0.1:\(port == 9 ? 10 : 9)/a.jpg", "http://[::1]:\(port)/a.jpg",
        "http://127.0.0.1.example.org:\(port)/a.jpg",
      ] {
        try await server.get("/images/custom/a.png?background=\(url)")
          .expect(422, fields: ["background not-allowed"])
      }
      for url in [
        "file:///etc/passwd", "ftp://127.0.0.1:\(port)/", "//127.0.0.1:\(port)/a.jpg", "a.jpg",
        "http://x@127.0.0.1:\(port)/a.jpg", "http://127.0.0.1:\(port)/a.jpg%23b", "",
      ] {
        try await server.get("/images/custom/a.png?background=\(url)")
          .expect(422, fields: ["background not-a-url"])
      }
      _ = try await server.keepTemplate(.photo, name: "Panels", [.field("aliases", "panels")])
      try await server.get("/images/panels/a.png?background=\(origin)/a.jpg")
        .expect(422, fields: ["background not-together"])
      try await server.get("/images/custom/a.png").expect(404)
      #expect(host.requests.isEmpty)
    }
    try await withServer { server in
      try await server.get("/images/custom/a.png?background=https://example.org/a.jpg")
        .expect(422, fields: ["background not-allowed"])
    }
  }

  @Test func `private addresses need permission, also if their host is named`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }, { $0.connectionsAllow = [] }) {
      server, host, origin in
      try await server.get("/images/custom/a.png?background=\(origin)/a.jpg")
        .expect(422, fields: ["background not-downloaded"])
      #expect(host.requests.isEmpty)
    }
  }

  @Test func `what is no picture is an error of the field`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost(
      { request in
        switch request.target {
        case "/redirect":
          .send("HTTP/1.1 302 Found\r\nLocation: /photo\r\nContent-Length: 0\r\n\r\n")
        case "/missing": .file(photo, "404 Not Found")
        case "/large":
          .sendOften("HTTP/1.1 200 OK\r\n\r\n", String(repeating: "x", count: 1 << 16), times: 99)
        case "/cut": .sendAndClose("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort")
        case "/closed": .close
        case "/broken": .file(Array(photo.prefix(photo.count / 2)))
        case "/text": .file(Array("hello".utf8))
        default: .file(photo)
        }
      }, { $0.maxUploadBytes = 1 << 20 }
    ) { server, host, origin in
      for name in ["redirect", "missing", "large", "cut", "closed"] {
        try await server.get("/images/custom/a.png?background=\(origin)/\(name)")
          .expect(422, fields: ["background not-downloaded"])
      }
      try await server.get("/images/custom/a.png?background=\(origin)/broken")
        .expect(422, fields: ["background broken-picture"])
      try await server.get("/images/custom/a.png?background=\(origin)/text").expect(415)
      #expect(!host.requests.contains { $0.target == "/photo" })
      // A failure is not cached.
      try await server.get("/images/custom/a.png?background=\(origin)/missing").expect(422)
      #expect(host.requests.count { $0.target == "/missing" } == 2)
    }
  }

  @Test func `the limits of uploads apply`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }, { $0.maxPixels = 10_000 }) {
      server, _, origin in
      try await server.get("/images/custom/a.png?background=\(origin)/a.jpg")
        .expect(422, fields: ["background too-many-pixels"])
    }
    try await withPictureHost({ _ in .file(photo) }, { $0.decoders = [.png] }) {
      server, _, origin in
      try await server.get("/images/custom/a.png?background=\(origin)/a.jpg").expect(415)
    }
  }

  @Test func `one caller has four downloads at a time`() async throws {
    try await withPictureHost({ _ in .silence }) { server, host, origin in
      let waiting = (0..<4).map { number in
        Task { try await server.get("/images/custom/a.png?background=\(origin)/\(number)") }
      }
      try await eventually("four downloads run") { host.requests.count == 4 }
      try await server.get("/images/custom/a.png?background=\(origin)/4").expect(503)
      host.endConnections()
      for each in waiting {
        try await each.value.expect(422, fields: ["background not-downloaded"])
      }
      #expect(host.requests.count == 4)
    }
  }

  @Test func `each request with such a picture counts, and others do not`() async throws {
    let photo = try Array(Fixture.photo.bytes)
    try await withPictureHost({ _ in .file(photo) }, { $0.limitsRates = true }) {
      server, _, origin in
      let drawn = try await server.get("/images/custom/a.png?background=\(origin)/a.jpg").expect(
        200)
      #expect(drawn["ratelimit"]?.contains("preview") == true)
      _ = try await server.keepTemplate(.photo, name: "Panels", [.field("aliases", "panels")])
      #expect(
        try await server.get("/images/panels/a.png")["ratelimit"]?.contains("preview") != true)
    }
  }
}
