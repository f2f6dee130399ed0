import Bytes
import Foundation
import Imaging
import Memes
import Support
import Testing
import Wire
import mememe

struct AvatarTests {
  private static let limit = 1 << 24

  private func pixels(_ answer: Answer) throws -> PixelBuffer {
    let (file, buffer) = (Bytes(answer.response.body), PixelBuffer())
    let header = try PictureHeader(of: file, maximumPixels: Self.limit)
    try PictureDecoder.decode(file, header: header, maximumEdge: 1 << 12, into: buffer)
    return buffer
  }

  /// The color at a place in fractions of the edges, in steps of 64, because encoders change it slightly.
  private func colour(_ buffer: PixelBuffer, _ x: Double, _ y: Double) -> [Int] {
    let (column, row) = (Int(x * Double(buffer.width)), Int(y * Double(buffer.height)))
    let start = row * buffer.bytesPerRow + column * buffer.channels
    return (0..<3).map { (Int(buffer.pixels[start + $0]) + 32) / 64 }
  }

  /// 600 × 400: red and green above blue and white in the middle square, black on both sides.
  private func quarters() throws -> [UInt8] {
    let buffer = PixelBuffer()
    buffer.reshape(width: 600, height: 400, channels: 3)
    for row in 0..<400 {
      for column in 0..<600 {
        let pixel: [UInt8] =
          switch (column, row) {
          case (..<100, _), (500..., _): [0, 0, 0]
          case (..<300, ..<200): [255, 0, 0]
          case (_, ..<200): [0, 255, 0]
          case (..<300, _): [0, 0, 255]
          default: [255, 255, 255]
          }
        for channel in 0..<3 { buffer.pixels[3 * (600 * row + column) + channel] = pixel[channel] }
      }
    }
    return try PictureEncoder.jpeg(buffer, quality: 95).withUnsafeBytes { Array($0) }
  }

  private func put(_ server: TestServer, _ picture: [UInt8], _ token: String) async throws -> Answer
  {
    try await server.send(
      "PUT", "/users/me/avatar", headers: [("Authorization", "Bearer \(token)")], body: picture)
  }

  @Test func `an avatar is the upright center square in three sizes, without metadata`()
    async throws
  {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let picture = TellingPicture.jpeg(try quarters(), orientation: 6)
      let user = try await put(server, picture, token).expect(200).json
      let url = try #require(user.avatarUrl.text)
      #expect(url.wholeMatch(of: /\/users\/ada\/avatar\?v=[0-9a-f]{16}/) != nil)
      #expect(try await server.get("/users/me", token: token).json.avatarUrl.text == url)
      #expect(try await server.get("/users/ada").json.avatarUrl.text == url)
      #expect(try await server.signIn("ada").json.user.avatarUrl.text == url)
      for (query, edge) in [("size=64", 64), ("size=192", 192), ("size=512", 400), ("", 192)] {
        let answer = try await server.get("\(url)&\(query)").expect(
          200, lacking: TellingPicture.secrets)
        #expect(answer["content-type"] == "image/jpeg")
        #expect(
          answer["cache-control"] == "public, max-age=31536000, s-maxage=3600, immutable")
        let pixels = try pixels(answer)
        #expect((pixels.width, pixels.height) == (edge, edge))
        // Rotated clockwise by 90°.
        #expect(colour(pixels, 0.25, 0.25) == [0, 0, 4])
        #expect(colour(pixels, 0.75, 0.25) == [4, 0, 0])
        #expect(colour(pixels, 0.25, 0.75) == [4, 4, 4])
        #expect(colour(pixels, 0.75, 0.75) == [0, 4, 0])
        for corner in [0.02, 0.97] { #expect(colour(pixels, corner, corner) != [0, 0, 0]) }
      }
    }
  }

  @Test(arguments: [
    (Fixture.transparent, "image/png", 90), (.moving, "image/jpeg", 80), (.webp, "image/jpeg", 240),
    (.cmyk, "image/jpeg", 200), (.progressive, "image/jpeg", 240),
  ])
  func `every picture format is accepted, and no picture is enlarged`(
    _ fixture: Fixture, _ type: String, _ edge: Int
  ) async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      try await put(server, try fixture.bytes, token).expect(200)
      let answer = try await server.get("/users/ada/avatar?size=512").expect(200)
      let pixels = try pixels(answer)
      #expect((pixels.width, pixels.height) == (edge, edge))
      #expect(answer["content-type"] == type)
    }
  }

  @Test func `a new avatar has a new URL, and the old one is gone`() async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder) { server in
        let token = try await server.signUp("ada")
        func set(_ fixture: Fixture) async throws -> String {
          try #require(
            try await put(server, try fixture.bytes, token).expect(200).json.avatarUrl.text)
        }
        let first = try await set(.photo)
        #expect(try await set(.photo) == first)
        let second = try await set(.webp)
        try await server.get(first).expect(410, problem: "gone")
        let shown = try await server.get("/users/ADA/avatar").expect(200)
        #expect(shown["cache-control"] == "public, no-cache")
        let tag = try #require(shown["etag"])
        try await server.send("GET", second, headers: [("If-None-Match", tag)]).expect(304)
        try await server.send("HEAD", second).expect(200)

        try await server.delete("/users/me/avatar", token: token).expect(204)
        try await server.delete("/users/me/avatar", token: token).expect(204)
        try await server.get(second).expect(410, problem: "gone")
        let drawn = try await server.get("/users/ada/avatar").expect(200)
        #expect(drawn["content-type"] == "image/png")
        #expect(drawn["cache-control"] == "public, max-age=3600")
        #expect(try await server.get("/users/ada").json.avatarUrl.text == "/users/ada/avatar")
        // The same picture has the same URL again.
        #expect(try await set(.photo) == first)
        try await server.json(
          "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: token
        ).expect(204)
        try await server.get(first).expect(404, problem: "not-found")
      }
      #expect(try await number(in: folder, "SELECT count(*) FROM avatars") == 0)
      #expect(try await number(in: folder, "SELECT count(*) FROM blobs") == 0)
    }
  }

  @Test func `a range of an avatar is exactly those bytes`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let sent = try await put(server, try Fixture.photo.bytes, token).expect(200)
      try await server.register("bob").expect(201)
      for url in [try #require(sent.json.avatarUrl.text), "/users/ada/avatar", "/users/bob/avatar"]
      {
        let whole = try await server.get(url).expect(200)
        #expect(whole["accept-ranges"] == "bytes")
        let (body, count) = (whole.response.body, whole.response.body.count)
        let part = try await server.send("GET", url, headers: [("Range", "bytes=10-99")])
          .expect(206)
        #expect(part.response.body == Array(body[10..<100]))
        #expect(part["content-range"] == "bytes 10-99/\(count)")
        #expect(part["etag"] == whole["etag"] && part["cache-control"] == whole["cache-control"])
        let other = [("Range", "bytes=10-99"), ("If-Range", "\"x\"")]
        #expect(
          try await server.send("GET", url, headers: other).expect(200).response.body == body)
        try await server.send("GET", url, headers: [("Range", "bytes=\(count)-")])
          .expect(416, problem: "range-not-satisfiable")
      }
    }
  }

  @Test func `invalid pictures are rejected, and the current avatar stays`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let url = try await put(server, try Fixture.photo.bytes, token).expect(200).json.avatarUrl
      try await put(server, Array("not a picture".utf8), token)
        .expect(415, problem: "unsupported-picture")
      try await put(server, Array(try Fixture.photo.bytes.prefix(2000)), token)
        .expect(422, problem: "invalid-input", fields: ["image broken-picture"])
      try await put(server, [], token).expect(400, problem: "malformed-request")
      try await server.send("PUT", "/users/me/avatar", body: try Fixture.photo.bytes)
        .expect(401, problem: "unauthorized")
      for (query, fields) in [
        ("size=65", ["size not-allowed"]),
        ("size=x&w=1", ["size not-a-number", "w unknown-field"]),
      ] {
        try await server.get("/users/ada/avatar?\(query)")
          .expect(422, problem: "invalid-input", fields: fields)
      }
      for name in ["nobody", "no-name", "%00"] {
        let answer = try await server.get("/users/\(name)/avatar")
        #expect([400, 404].contains(answer.status))
      }
      #expect(try await server.get("/users/me", token: token).json.avatarUrl == url)
    }
  }

  @Test func `the default avatar shows initials in a color that depends on the name`()
    async throws
  {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let first = try await server.get("/users/ada/avatar?size=512").expect(200)
      #expect(
        try await server.get("/users/ada/avatar?size=512").response.body == first.response.body)
      for edge in [64, 192, 512] {
        let pixels = try pixels(try await server.get("/users/ada/avatar?size=\(edge)").expect(200))
        #expect((pixels.width, pixels.height, pixels.channels) == (edge, edge, 3))
        let look = DrawnAvatar(username: try Username("ada"), displayName: nil)
        let background = [
          look.background.red, look.background.green, look.background.blue,
        ]
        for (column, row) in [(0, 0), (edge - 1, 0), (0, edge - 1), (edge - 1, edge - 1)] {
          let start = row * pixels.bytesPerRow + 3 * column
          #expect((0..<3).map { pixels.pixels[start + $0] } == background)
        }
        // The initials are centered horizontally.
        let inked = (0..<edge).filter { column in
          (0..<edge).contains { pixels.pixels[$0 * pixels.bytesPerRow + 3 * column + 1] > 240 }
        }
        let (left, right) = (try #require(inked.first), try #require(inked.last))
        #expect(abs(left - (edge - 1 - right)) <= 2 && right - left > edge / 5)
      }
      try await server.json("PATCH", "/users/me", #"{"displayName":"Grace Hopper"}"#, token: token)
        .expect(200)
      let renamed = try await server.get("/users/ada/avatar?size=512").expect(200)
      #expect(renamed["etag"] != first["etag"])
      #expect(colour(try pixels(renamed), 0, 0) == colour(try pixels(first), 0, 0))
    }
  }
}
