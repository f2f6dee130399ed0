import Bytes
import Foundation
import HTTP
import Imaging
import Memes
import Support
import Synchronization
import Testing
import Wire
import mememe

/// Rate limits for the cost of rendering.
struct DrawingCostTests {
  private static func behindProxy(_ settings: inout Settings) {
    settings.limitsRates = true
    settings.trustedProxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap { $0 })
    settings.freeNetworks = [AddressRange("198.51.100.0/24")].compactMap { $0 }
  }

  /// As a GIF this picture costs 76.8 megapixels (75 for writing, 1.8 for reading), of the 200 that a network has.
  private static func picture() throws -> Bytes {
    let pixels = PixelBuffer()
    pixels.reshape(width: 2000, height: 1500, channels: 3)
    pixels.pixels.initializeMemory(as: UInt8.self, repeating: 90)
    return try PictureEncoder.jpeg(pixels, quality: 50)
  }

  private static func drawn(
    _ server: TestServer, token: String? = nil, from client: String
  ) async throws -> Answer {
    try await server.post(
      to: "/memes/preview",
      [.file("image", try picture().withUnsafeBytes { Array($0) }), .field("format", "gif")],
      token: token, headers: [("X-Forwarded-For", client)])
  }

  @Test func `a network over its rendering limit waits, and no other caller does`() async throws {
    let start = ContinuousClock.now
    let ticks = Mutex(start)
    try await withServer(ticks: { ticks.withLock { $0 } }, Self.behindProxy) { server in
      let network = "203.0.113.7"
      for left in [123, 46, 0] {
        let answer = try await Self.drawn(server, from: network).expect(200)
        #expect(
          answer["ratelimit-policy"]
            == "\"preview\";q=600;w=15, \"render\";q=200;qu=\"megapixels\";w=10")
        #expect(answer["ratelimit"]?.contains("\"render\";r=\(left);t=") == true)
      }
      let refused = try await Self.drawn(server, from: network)
      refused.expect(429, problem: "too-many-requests")
      #expect(refused["ratelimit-policy"] == "\"render\";q=200;qu=\"megapixels\";w=10")
      #expect(refused["retry-after"] == "2")
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_requests_throttled_total", ["limit": "render"]) == 1)
      // Another network, a signed-in person in this network, and an exempt network.
      try await Self.drawn(server, from: "203.0.113.8").expect(200)
      let ada = try await Self.drawn(
        server, token: try await server.signUp("ada"), from: network
      ).expect(200)
      #expect(ada["ratelimit-policy"]?.hasSuffix("\"render\";q=400;qu=\"megapixels\";w=10") == true)
      for _ in 0..<4 {
        let free = try await Self.drawn(server, from: "198.51.100.9").expect(200)
        #expect(free["ratelimit-policy"] == "\"preview\";q=600;w=15")
      }
      ticks.withLock { $0 = start + .seconds(2) }
      try await Self.drawn(server, from: network).expect(200)
    }
  }

  @Test func `each rendering costs once, and stored pictures are free`() async throws {
    let start = ContinuousClock.now
    try await withServer(ticks: { start }, Self.behindProxy) { server in
      let made = try await server.post(
        [.file("image", try Self.picture().withUnsafeBytes { Array($0) })],
        headers: [("X-Forwarded-For", "198.51.100.9")]
      ).expect(201)
      let meme = try #require(made["location"])
      let headers = [("X-Forwarded-For", "203.0.113.7")]
      func image(_ query: String) async throws -> Answer {
        try await server.send("GET", "\(meme)/image?\(query)", headers: headers)
      }
      for _ in 0..<5 { try await image("format=gif").expect(200) }
      try await image("format=gif&width=1536").expect(200)
      try await image("format=avif&width=1536").expect(200)
      try await image("format=avif").expect(200)
      try await image("format=avif&width=1024").expect(429, problem: "too-many-requests")
      try await image("format=gif").expect(200)
      // The same width after rounding.
      try await server.get("\(meme)/image?format=gif&width=1500").expect(200)
    }
  }

  @Test func `memes by address cost their drawing once`() async throws {
    let start = ContinuousClock.now
    try await withServer(ticks: { start }, Self.behindProxy) { server in
      try await server.post(
        to: "/templates",
        [
          .file("image", try Self.picture().withUnsafeBytes { Array($0) }), .field("name", "grey"),
          .field("aliases", "grey"),
        ], headers: [("X-Forwarded-For", "198.51.100.9")]
      ).expect(201)
      func image(_ line: String) async throws -> Answer {
        try await server.send(
          "GET", "/images/grey/\(line).gif?width=2000",
          headers: [("X-Forwarded-For", "203.0.113.7")])
      }
      for _ in 0..<3 {
        for line in ["a", "b", "c"] { try await image(line).expect(200) }
      }
      try await image("d").expect(429, problem: "too-many-requests")
      try await image("a").expect(200)
    }
  }
}
