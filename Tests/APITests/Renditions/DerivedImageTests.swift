import Bytes
import Imaging
import Memes
import Support
import Testing
import Wire
import mememe

/// `GET /memes/{id}/image` with `width` and `format`.
struct DerivedImageTests {
  private func header(_ answer: Answer) throws -> PictureHeader {
    try PictureHeader(
      of: Bytes(answer.response.body), kinds: [.jpeg, .png, .gif, .webp],
      maximumPixels: 10_000_000)
  }

  private func pixels(_ answer: Answer) throws -> PixelBuffer {
    let (bytes, buffer) = (Bytes(answer.response.body), PixelBuffer())
    try PictureDecoder.decode(
      bytes, header: try header(answer), maximumEdge: 20_000, into: buffer)
    return buffer
  }

  @Test func `a width returns a smaller picture of the same format, never a larger one`()
    async throws
  {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo, top: "hi").expect(201)["location"])
      let whole = try await server.get("\(url)/image").expect(200)
      for (wanted, width, height) in [
        (256, 256, 192), (16, 16, 12), (511, 512, 384), (100, 128, 96), (101, 128, 96),
      ] {
        let answer = try await server.get("\(url)/image?width=\(wanted)").expect(200)
        #expect(answer["content-type"] == "image/jpeg")
        let header = try header(answer)
        #expect((header.width, header.height) == (width, height))
        #expect(answer["etag"] != whole["etag"])
        // The mean color shows that it is the same picture.
        #expect(try meanDifference(pixels(answer), pixels(whole)) < 4)
      }
      for query in [
        "width=640", "width=513", "width=641", "width=16384", "format=jpeg",
        "width=700&format=jpeg",
      ] {
        let answer = try await server.get("\(url)/image?\(query)").expect(200)
        #expect(answer.response.body == whole.response.body)
        #expect(answer["etag"] == whole["etag"])
      }
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_derived_pictures") == 4)
    }
  }

  @Test func `HEAD renders nothing and returns the headers known so far`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      let target = "\(url)/image?v=1&width=256&format=webp"
      func head() async throws -> Answer {
        try await server.send("HEAD", target).expect(200)
      }
      let unmade = try await head()
      #expect(unmade["content-type"] == "image/webp" && unmade["etag"] == nil)
      #expect(unmade["content-length"] == nil)
      #expect(try await server.metrics().value("mememe_derived_pictures") == 0)
      let made = try await server.get(target).expect(200)
      #expect(made["cache-control"] == unmade["cache-control"])
      let there = try await head()
      #expect(there["etag"] == made["etag"])
      #expect(there["content-length"] == "\(made.response.body.count)")
      try await server.send("HEAD", "\(url)/image?v=2&width=256").expect(404)
    }
  }

  private func meanDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
    func mean(_ picture: PixelBuffer, _ channel: Int) -> Double {
      let count = picture.width * picture.height
      let sum = (0..<count).reduce(0) { $0 + Int(picture.pixels[$1 * picture.channels + channel]) }
      return Double(sum) / Double(count)
    }
    return (0..<3).map { abs(mean(one, $0) - mean(other, $0)) }.max() ?? .infinity
  }

  @Test func `every output format can be requested`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo, top: "hi").expect(201)["location"])
      let whole = try pixels(try await server.get("\(url)/image"))
      for format in OutputFormat.allCases {
        let answer = try await server.get("\(url)/image?format=\(format.rawValue)&width=300")
          .expect(200)
        #expect(answer["content-type"] == "image/\(format.rawValue)")
        guard format != .avif else {
          #expect(answer.response.body[4..<12].elementsEqual("ftypavif".utf8))
          continue
        }
        let header = try header(answer)
        #expect((header.width, header.height) == (384, 288))
        #expect(try meanDifference(pixels(answer), whole) < 4)
      }
    }
  }

  @Test func `animations stay animated as GIF and WebP, and become their first frame otherwise`()
    async throws
  {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving, top: "hi").expect(201)["location"])
      for (query, size, frames) in [
        ("width=50", (64, 51), 3), ("format=webp", (100, 80), 3),
        ("width=50&format=webp", (64, 51), 3), ("format=png", (100, 80), 1),
        ("width=50&format=jpeg", (64, 51), 1),
      ] {
        let header = try header(try await server.get("\(url)/image?\(query)").expect(200))
        #expect((header.width, header.height) == size && header.frames == frames, "\(query)")
      }
    }
  }

  @Test func `transparency is kept, and becomes white in a JPEG`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.transparent).expect(201)["location"])
      let whole = try pixels(try await server.get("\(url)/image"))
      let clear = try #require(
        (0..<whole.width * whole.height).first { whole.pixels[4 * $0 + 3] == 0 })
      for query in ["format=webp", "format=gif"] {
        let picture = try pixels(try await server.get("\(url)/image?\(query)").expect(200))
        #expect(picture.channels == 4 && picture.pixels[4 * clear + 3] == 0)
      }
      let small = try pixels(try await server.get("\(url)/image?width=60").expect(200))
      #expect(small.channels == 4 && small.width == 64)
      let jpeg = try pixels(try await server.get("\(url)/image?format=jpeg").expect(200))
      #expect(jpeg.channels == 3)
      #expect((0..<3).allSatisfy { jpeg.pixels[3 * clear + $0] > 250 })
    }
  }

  @Test func `a rendered AVIF can be scaled down, but AVIF uploads are rejected`() async throws {
    try await withServer { server in
      let url = try #require(
        try await server.upload(.photo, ["format": "avif"]).expect(201)["location"])
      let small = try await server.get("\(url)/image?width=64").expect(200)
      #expect(small["content-type"] == "image/avif")
      let jpeg = try header(try await server.get("\(url)/image?width=64&format=jpeg").expect(200))
      #expect((jpeg.width, jpeg.height) == (64, 48))
      try await server.upload(.avif).expect(415, problem: "unsupported-picture")
    }
  }

  @Test func `derived images support HEAD, ranges, conditional requests and caching`()
    async throws
  {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      for target in ["\(url)/image?width=100", "\(url)/image?v=1&format=webp&width=100"] {
        // Rendered, then from the memory cache, then from disk because of the token.
        for token in [nil, nil, server.adminToken] {
          let headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
          let whole = try await server.send("GET", target, headers: headers).expect(200)
          let (tag, body) = (try #require(whole["etag"]), whole.response.body)
          #expect(
            whole["cache-control"]
              == (target.contains("v=")
                ? "public, max-age=31536000, s-maxage=3600, immutable" : "public, no-cache"))
          #expect(whole["cross-origin-resource-policy"] == "cross-origin" && whole["vary"] == nil)
          let head = try await server.send("HEAD", target, headers: headers).expect(200)
          #expect(head["etag"] == tag && head["content-length"] == "\(body.count)")
          let part = try await server.send(
            "GET", target, headers: headers + [("Range", "bytes=10-19"), ("If-Range", tag)]
          ).expect(206)
          #expect(part.response.body == Array(body[10..<20]))
          let same = try await server.send(
            "GET", target, headers: headers + [("If-None-Match", tag)]
          ).expect(304)
          #expect(same["etag"] == tag && same["cache-control"] == whole["cache-control"])
        }
      }
    }
  }

  @Test func `derived images of old versions and deleted memes are gone`() async throws {
    try await withDataFolder { folder in
      var url = ""
      try await withServer(in: folder) { server in
        url = try #require(try await server.upload(.photo).expect(201)["location"])
        try await server.get("\(url)/image?width=100&v=1").expect(200)
      }
      try await editDatabase(in: folder, "UPDATE memes SET version = 2")
      try await withServer(in: folder) { server in
        let old = try await server.get("\(url)/image?width=100&v=1").expect(410, problem: "gone")
        #expect(old.json.detail.text?.contains("edited") == true)
        try await server.get("\(url)/image?width=100&v=3").expect(404, problem: "not-found")
        #expect(try await server.metrics().value("mememe_derived_pictures") == 0)
        for target in ["\(url)/image?width=100&v=2", "\(url)/image?width=100"] {
          for _ in 0..<2 { try await server.get(target).expect(200) }
        }
        try await server.delete(url, token: server.adminToken).expect(204)
        for query in ["width=100", "width=100&v=2", "width=99", "format=webp"] {
          try await server.get("\(url)/image?\(query)").expect(410, problem: "gone")
        }
        try await server.restore(url, token: server.adminToken).expect(200)
        try await server.get("\(url)/image?width=100&v=2").expect(200)
      }
    }
  }

  @Test func `an edit renews derived images and keeps their format`() async throws {
    try await withServer { server in
      for (format, type) in [("jpeg", "image/jpeg"), ("avif", "image/avif")] {
        let url = try #require(
          try await server.upload(.photo, ["format": format]).expect(201)["location"])
        let old = try await server.get("\(url)/image?width=100&v=1").expect(200)
        try await server.patch(url, #"{"top": "new"}"#, token: server.adminToken).expect(200)
        try await server.get("\(url)/image?width=100&v=1").expect(410, problem: "gone")
        for target in ["\(url)/image?width=100&v=2", "\(url)/image?width=100"] {
          let new = try await server.get(target).expect(200)
          #expect(new["content-type"] == type && new["etag"] != old["etag"])
        }
      }
    }
  }

  @Test func `every invalid width and format is reported at once`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      for (width, code) in [
        ("", "not-a-number"), ("x", "not-a-number"), ("1e2", "not-a-number"),
        ("100.0", "not-a-number"), ("+100", "not-a-number"), ("%20100", "not-a-number"),
        ("99999999999999999999", "not-a-number"), ("0", "out-of-range"), ("15", "out-of-range"),
        ("-1", "out-of-range"), ("16385", "out-of-range"), ("9223372036854775807", "out-of-range"),
      ] {
        try await server.get("\(url)/image?width=\(width)").expect(
          422, problem: "invalid-input", fields: ["width \(code)"])
      }
      let all = try await server.get("\(url)/image?width=1&format=bmp&v=0&size=2").expect(
        422, problem: "invalid-input",
        fields: [
          "width out-of-range", "format not-allowed", "v out-of-range", "size unknown-field",
        ])
      let refusal = all.json.errors.elements.first { $0.field.text == "format" }
      #expect(refusal?.message.text == "Must be one of: jpeg, png, webp, gif, avif.")
      for format in ["", "JPEG", "heic", "image%2Fpng", "webp%00"] {
        let status = try await server.get("\(url)/image?format=\(format)").status
        #expect(status == (format.contains("%00") ? 400 : 422))
      }
      try await server.get("\(url)/image?width=50&width=50").expect(
        422, problem: "invalid-input", fields: ["width duplicate"])
      try await server.get("\(url)/thumbnail?width=50").expect(422, problem: "invalid-input")
      try await server.get("/memes/01234567-89ab-7def-8123-456789abcdef/image?width=50")
        .expect(404, problem: "not-found")
    }
  }

  @Test func `fifty concurrent requests render a picture once`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<50 {
          group.addTask {
            // Requests with a token bypass the memory cache.
            try await server.get("\(url)/image?width=256&format=png", token: server.adminToken)
              .expect(200).response.body
          }
        }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(bodies.count == 1)
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_derived_made_total") == 1)
      #expect(metrics.value("mememe_derived_kept_total") == 1)
      #expect(metrics.value("mememe_derived_pictures") == 1)
      #expect(metrics.value("mememe_derived_bytes") == bodies.first.map { Double($0.count) })
    }
  }

  @Test func `derived images survive a restart, and a cache of size zero stores none`()
    async throws
  {
    try await withDataFolder { folder in
      var (url, body) = ("", [UInt8]())
      try await withServer(in: folder) { server in
        url = try #require(try await server.upload(.photo).expect(201)["location"])
        body = try await server.get("\(url)/image?width=256").expect(200).response.body
      }
      try await withServer(in: folder) { server in
        let again = try await server.get("\(url)/image?width=256").expect(200)
        #expect(again.response.body == body)
        let metrics = try await server.metrics()
        #expect(metrics.value("mememe_derived_found_total") == 1)
        #expect(metrics.value("mememe_derived_made_total") == 0)
      }
      try await withServer(in: folder, { $0.cacheBytes = 0 }) { server in
        #expect(try await server.metrics().value("mememe_derived_pictures") == 0)
        for _ in 0..<2 {
          let again = try await server.get("\(url)/image?width=256", token: server.adminToken)
          #expect(try header(again.expect(200)).width == 256)
        }
        let metrics = try await server.metrics()
        #expect(metrics.value("mememe_derived_made_total") == 2)
        #expect(metrics.value("mememe_derived_bytes") == 0)
      }
    }
  }
}
