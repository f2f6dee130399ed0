import Support
import Testing
import Wire
import mememe

/// Animated pictures, uploaded and downloaded.
struct MovingTests {
  @Test func `an animated GIF stays one unless the client wants another format`() async throws {
    try await withServer { server in
      let made = try await server.upload(.moving, top: "hello").expect(201)
      #expect(made.json.image.mediaType.text == "image/gif")
      let image = try await server.get(try #require(made.json.image.url.text)).expect(200)
      #expect(image.response.body.starts(with: Array("GIF89a".utf8)))
      let small = try await server.get(try #require(made.json.thumbnails.grid.url.text)).expect(200)
      #expect(small["content-type"] == "image/jpeg")
      for (accept, type) in [
        ("image/*", "image/gif"), ("image/webp", "image/webp"), ("image/jpeg", "image/jpeg"),
      ] {
        let answer = try await server.upload(.moving, headers: [("Accept", accept)]).expect(201)
        #expect(answer["content-type"] == type)
      }
      let still = try await server.upload(.moving, ["format": "png"]).expect(201)
      #expect(still.json.image.mediaType.text == "image/png")
    }
  }

  @Test func `too many frames are rejected`() async throws {
    try await withServer({ $0.maxFrames = 2 }) { server in
      let refused = try await server.upload(.moving).expect(422)
      #expect(refused.json.errors[0].field.text == "image")
      #expect(refused.json.errors[0].code.text == "too-many-frames")
      try await server.upload(.photo).expect(201)
    }
    try await withServer({ $0.maxFrames = 3 }) { try await $0.upload(.moving).expect(201) }
  }

  @Test func `a truncated GIF is rejected`() async throws {
    try await withServer { server in
      let whole = try Fixture.moving.bytes
      let part = Array(whole[..<(whole.count - 40)])
      let refused = try await server.post([.file("image", part)]).expect(422)
      #expect(refused.json.errors[0].code.text == "broken-picture")
    }
  }
}
