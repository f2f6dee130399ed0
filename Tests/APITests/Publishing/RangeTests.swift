import Support
import Testing
import Wire

/// Range requests for pictures: RFC 9110 §14 over the wire.
struct RangeTests {
  @Test func `a range of a picture is exactly those bytes`() async throws {
    try await withLiveServer { server in
      let created = try await server.upload(.photo).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      for path in ["/image", "/image?v=1", "/thumbnail?view=table&v=1", "/thumbnail", "/original"] {
        let bearer = [("Authorization", "Bearer \(token)")]
        let whole = try await server.send("GET", url + path, headers: bearer).expect(200)
        #expect(whole["accept-ranges"] == "bytes")
        let (body, count) = (whole.response.body, whole.response.body.count)
        let parts = [
          ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=100-", 100..<count),
          ("bytes=-100", count - 100..<count), ("bytes=\(count - 1)-", count - 1..<count),
          ("bytes=50-99999999999999999999", 50..<count),
          ("bytes=-99999999999999999999", 0..<count), ("BYTES=1-2", 1..<3),
        ]
        for (range, part) in parts {
          let answer = try await server.send(
            "GET", url + path, headers: bearer + [("Range", range)]
          ).expect(206)
          #expect(answer.response.body == Array(body[part]), "\(range)")
          #expect(
            answer["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
          #expect(answer["content-length"] == "\(part.count)")
          for name in ["content-type", "etag", "cache-control", "cross-origin-resource-policy"] {
            #expect(answer[name] == whole[name])
          }
        }
      }
    }
  }

  @Test func `a range past the end is 416 with the length`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let count = try await server.get("\(url)/image").response.body.count
      for range in ["bytes=\(count)-", "bytes=99999999999999999999-", "bytes=-0"] {
        let answer = try await server.send("GET", "\(url)/image", headers: [("Range", range)])
        #expect(
          answer.expect(416, problem: "range-not-satisfiable")["content-range"]
            == "bytes */\(count)")
        #expect(answer["etag"] == nil && answer["cache-control"] == "no-store")
      }
    }
  }

  @Test func `multiple ranges, other units and invalid ranges get the whole`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let whole = try await server.get("\(url)/image").response.body
      for range in [
        "bytes=0-1,3-4", "items=0-1", "bytes=5-3", "bytes=a-b", "bytes=", "bytes=0-1 ,", "0-1",
        "bytes=+0-1", "bytes=-", "bytes=0-\u{0661}",
      ] {
        let answer = try await server.send("GET", "\(url)/image", headers: [("Range", range)])
        #expect(answer.expect(200).response.body == whole, "\(range)")
        #expect(answer["content-range"] == nil)
      }
    }
  }

  @Test func `If-Range continues a download of the same bytes and no other`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let tag = try #require(try await server.get("\(url)/image")["etag"])
      let cases = [
        (tag, 206), ("\"other\"", 200), ("W/\(tag)", 200), ("Sat, 21 Nov 2026 08:00:00 GMT", 200),
        ("*", 200),
      ]
      for (condition, status) in cases {
        try await server.send(
          "GET", "\(url)/image", headers: [("Range", "bytes=5-"), ("If-Range", condition)]
        ).expect(status)
      }
      // If the client has the whole picture, it gets 304 whatever range it requests.
      try await server.send(
        "GET", "\(url)/image", headers: [("Range", "bytes=5-"), ("If-None-Match", tag)]
      ).expect(304)
    }
  }

  @Test func `HEAD and other resources ignore ranges`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let whole = try await server.get("\(url)/image")
      let head = try await server.send("HEAD", "\(url)/image", headers: [("Range", "bytes=0-1")])
      #expect(head.expect(200)["content-length"] == whole["content-length"])
      #expect(head["accept-ranges"] == "bytes" && head["content-range"] == nil)
      for target in [url, "/memes", "/openapi.yaml", "/healthz"] {
        let answer = try await server.send("GET", target, headers: [("Range", "bytes=0-1")])
        #expect(answer.expect(200)["accept-ranges"] == nil)
        #expect(answer["content-range"] == nil)
      }
    }
  }
}
