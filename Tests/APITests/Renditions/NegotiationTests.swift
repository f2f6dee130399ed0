import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

@testable import API

/// `MEMEME_NEGOTIATE`: negotiation of the image format by `Accept`.
struct NegotiationTests {
  private static let chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
  private static let firefox =
    "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
  private static let older = "image/webp,image/apng,image/*,*/*;q=0.8"

  @Test(
    arguments: [
      (nil, "jpeg", "png", "gif", "webp", "avif"), ("*/*", "jpeg", "png", "gif", "webp", "avif"),
      ("image/*", "jpeg", "png", "gif", "webp", "avif"), ("", "jpeg", "png", "gif", "webp", "avif"),
      ("text/html", "jpeg", "png", "gif", "webp", "avif"),
      (chrome, "avif", "avif", "webp", "webp", "avif"),
      (firefox, "avif", "avif", "webp", "webp", "avif"),
      (older, "webp", "webp", "webp", "webp", "avif"),
      ("image/webp,*/*;q=0.8", "webp", "webp", "webp", "webp", "webp"),
      ("image/webp", "webp", "webp", "webp", "webp", "webp"),
      ("image/webp;q=0.9, image/avif;q=0.5", "webp", "webp", "webp", "webp", "webp"),
      ("image/webp;q=0.5, image/avif;q=0.9", "avif", "avif", "webp", "webp", "avif"),
      ("image/jpeg, image/webp;q=0.9, image/avif;q=0.9", "jpeg", "avif", "webp", "webp", "avif"),
      ("image/webp;q=0, image/avif;q=0, */*;q=0.1", "jpeg", "png", "gif", "webp", "avif"),
      ("IMAGE/WEBP", "webp", "webp", "webp", "webp", "webp"),
    ] as [(String?, String, String, String, String, String)])
  func `a named format with at least the same quality value replaces the stored one`(
    accept: String?, jpeg: String, png: String, gif: String, webp: String, avif: String
  ) {
    let choices = PictureNegotiation(accept: Accept(accept), formats: OutputFormat.allCases).choices
    for (stored, expected) in [
      (PictureFormat.jpeg, jpeg), (.png, png), (.gif, gif), (.webp, webp), (.avif, avif),
    ] {
      #expect(choices[stored]?.rawValue ?? stored.rawValue == expected, "\(stored)")
      #expect(choices[stored].map { PictureFormat($0) } != stored)
    }
  }

  @Test func `formats that the machine cannot write are not chosen`() {
    let choices = PictureNegotiation(
      accept: Accept(Self.chrome), formats: OutputFormat.everywhere + [.webp]
    ).choices
    #expect(choices == [.jpeg: .webp, .png: .webp, .gif: .webp])
    #expect(PictureNegotiation(accept: Accept(Self.chrome), formats: [.jpeg]).choices == [:])
  }

  @Test func `clients with different Accept headers never get each other's format`() async throws {
    try await withServer({ $0.negotiate = true }) { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      let wanted = [
        (Self.chrome, "image/avif"), (Self.older, "image/webp"), ("*/*", "image/jpeg"),
        ("image/*", "image/jpeg"), ("image/webp;q=0.9,image/avif;q=0.8,*/*;q=0.1", "image/webp"),
      ]
      for target in ["\(url)/image", "\(url)/image?v=1", "\(url)/image?width=64"] {
        var tags: [String: String] = [:]
        for round in 0..<3 {
          for (accept, type) in round == 1 ? wanted.reversed() : wanted {
            let answer = try await server.send("GET", target, headers: [("Accept", accept)])
              .expect(200)
            #expect(answer["content-type"] == type)
            #expect(answer["vary"] == "Accept")
            let tag = try #require(answer["etag"])
            #expect(tags.updateValue(tag, forKey: type) ?? tag == tag)
            let same = try await server.send(
              "GET", target, headers: [("Accept", accept), ("If-None-Match", tag)]
            ).expect(304)
            #expect(same["vary"] == "Accept")
            let part = try await server.send(
              "GET", target, headers: [("Accept", accept), ("Range", "bytes=0-3")]
            ).expect(206)
            #expect(part["vary"] == "Accept" && part["content-type"] == type)
            let head = try await server.send("HEAD", target, headers: [("Accept", accept)])
            #expect(head["vary"] == "Accept" && head["content-type"] == type)
          }
        }
        #expect(Set(tags.values).count == 3)
      }
      // All rounds but the first come from the memory cache.
      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_answers_from_memory_total") == Double(3 * (5 * 12 - 5)))
      try await server.delete(url, token: server.adminToken).expect(204)
      for (accept, _) in wanted {
        try await server.send("GET", "\(url)/image", headers: [("Accept", accept)]).expect(410)
      }
    }
  }

  @Test func `an explicit format wins over Accept, and thumbnails are not negotiated`()
    async throws
  {
    try await withServer({ $0.negotiate = true }) { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      for (path, type) in [
        ("image?format=jpeg", "image/jpeg"), ("image?format=png", "image/png"),
        ("thumbnail", "image/jpeg"),
      ] {
        let answer = try await server.send(
          "GET", "\(url)/\(path)", headers: [("Accept", Self.chrome)]
        ).expect(200)
        #expect(answer["content-type"] == type && answer["vary"] == nil)
      }
    }
  }

  @Test func `a negotiated cross-origin response varies by Accept and Origin`() async throws {
    try await withServer({
      $0.negotiate = true
      $0.corsOrigins = .listed(["https://a.example"])
    }) { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      for _ in 0..<2 {
        let answer = try await server.send(
          "GET", "\(url)/image", headers: [("Accept", Self.older), ("Origin", "https://a.example")]
        ).expect(200)
        #expect(answer["vary"] == "Accept, Origin" && answer["content-type"] == "image/webp")
      }
    }
  }

  @Test func `Accept is ignored unless negotiation is enabled`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.photo).expect(201)["location"])
      for _ in 0..<2 {
        let answer = try await server.send(
          "GET", "\(url)/image", headers: [("Accept", Self.chrome)]
        ).expect(200)
        #expect(answer["content-type"] == "image/jpeg" && answer["vary"] == nil)
      }
      #expect(try await server.metrics().value("mememe_derived_made_total") == 0)
    }
  }
}
