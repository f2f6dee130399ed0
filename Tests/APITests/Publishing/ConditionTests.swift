import Support
import Testing
import Wire

/// Conditional requests for reads: RFC 9110 §13 over the wire.
struct ConditionTests {
  private static let bodyFields = ["content-type", "content-range", "accept-ranges", "link"]

  @Test func `unchanged content gets 304`() async throws {
    try await withLiveServer { server in
      for _ in 0..<2 { try await server.upload(.moving).expect(201) }
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let targets = [
        url, "\(url)/image", "\(url)/image?v=1", "\(url)/thumbnail", "\(url)/thumbnail?view=table",
        "/memes", "/memes?view=grid&limit=2", "/memes?view=table",
      ]
      for target in targets {
        let whole = try await server.get(target).expect(200)
        let tag = try #require(whole["etag"])
        for method in ["GET", "HEAD"] {
          for tags in [tag, "W/\(tag)", "*", "\"a\", \(tag)", "W/\"b\",\(tag)"] {
            let answer = try await server.send(
              method, target, headers: [("If-None-Match", tags)]
            ).expect(304)
            #expect(answer.response.body.isEmpty)
            for name in [
              "etag", "cache-control", "vary", "content-security-policy", "referrer-policy",
              "x-content-type-options", "cross-origin-resource-policy",
            ] {
              #expect(answer[name] == whole[name], "\(name) of \(target)")
            }
            #expect(answer["x-request-id"] != nil)
            for name in Self.bodyFields { #expect(answer[name] == nil, "\(name) of \(target)") }
            // RFC 9110 §8.6: the length of the whole representation, or none.
            #expect(answer["content-length"] == whole["content-length"])
          }
        }
        for tags in ["\"a\"", "W/\"a\"", String(tag.dropFirst().dropLast()), "", "\"1\"", "\"1.\""]
        {
          let answer = try await server.send("GET", target, headers: [("If-None-Match", tags)])
          #expect(answer.expect(200).response.body == whole.response.body)
        }
      }
    }
  }

  @Test func `HEAD and conditions see the same picture as GET, without the cache of responses`()
    async throws
  {
    try await withLiveServer { server in
      let created = try await server.upload(.moving).expect(201)
      let url = try #require(created["location"])
      let token = try #require(created["meme-delete-token"])
      let bearer = [("Authorization", "Bearer \(token)")]
      for path in ["/image", "/image?v=1", "/thumbnail", "/thumbnail?view=table&v=1", "/original"] {
        let target = url + path
        func send(_ method: String, _ headers: [(String, String)]) async throws -> Answer {
          try await server.send(method, target, headers: bearer + headers)
        }
        let whole = try await send("GET", []).expect(200)
        let (body, tag) = (whole.response.body, try #require(whole["etag"]))
        let head = try await send("HEAD", []).expect(200)
        let same = try await send("GET", [("If-None-Match", tag)]).expect(304)
        for answer in [head, same] {
          #expect(answer.response.body.isEmpty)
          for name in ["etag", "content-length", "cache-control", "cross-origin-resource-policy"] {
            #expect(answer[name] == whole[name], "\(name) of \(path)")
          }
        }
        #expect(head["content-type"] == whole["content-type"] && head["accept-ranges"] == "bytes")
        let others = [("If-None-Match", "\"a\"")]
        #expect(try await send("GET", others).expect(200).response.body == body)
        let part = try await send("GET", others + [("Range", "bytes=1-2")]).expect(206)
        #expect(part.response.body == Array(body[1...2]))
        try await send("GET", others + [("Range", "bytes=\(body.count)-")]).expect(416)
        try await send("HEAD", [("If-Match", "\"a\"")]).expect(412)
      }
      try await server.send("HEAD", "\(url)/image?v=2", headers: bearer).expect(404)
    }
  }

  @Test func `a connection stays open after 304`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let client = try server.connect()
      let host = "Host: x\r\n"
      let whole = try await client.request("GET \(url)/image HTTP/1.1\r\n\(host)\r\n")
      let tag = try #require(whole["etag"])
      for _ in 0..<2 {
        let same = try await client.request(
          "GET \(url)/image HTTP/1.1\r\n\(host)If-None-Match: \(tag)\r\n\r\n")
        #expect(same.status == 304 && !same.isClosing)
        let again = try await client.request("GET \(url)/image HTTP/1.1\r\n\(host)\r\n")
        #expect(again.body == whole.body)
      }
    }
  }

  @Test func `a list's ETag depends on its content and viewer`() async throws {
    try await withLiveServer { server in
      let empty = try #require(try await server.get("/memes").expect(200)["etag"])
      let answer = try await server.upload(.moving).expect(201)
      let one = try await server.send("GET", "/memes", headers: [("If-None-Match", empty)])
      let tag = try #require(one.expect(200)["etag"])
      #expect(tag != empty && !tag.hasPrefix("W/"))
      #expect(try await server.get("/memes?view=grid")["etag"] != tag)
      // An admin sees more of the meme.
      #expect(try await server.get("/memes", token: server.adminToken)["etag"] != tag)
      let url = try #require(answer["location"])
      try await server.delete(url, token: server.adminToken).expect(204)
      #expect(try await server.get("/memes")["etag"] == empty)
    }
  }

  @Test func `a meme's ETag is its version and a digest of what the viewer sees`() async throws {
    try await withLiveServer { server in
      let created = try await server.upload(.moving).expect(201)
      let url = try #require(created["location"])
      let tag = try #require(try await server.get(url).expect(200)["etag"])
      #expect(tag.wholeMatch(of: /"1\.[0-9a-f]{32}"/) != nil)
      let other = try await server.send(
        "GET", url,
        headers: [("Authorization", "Bearer \(server.adminToken)"), ("If-None-Match", tag)])
      #expect(other.expect(200)["etag"]?.hasPrefix("\"1.") == true)
      #expect(other["etag"] != tag)
      // A version alone is not the whole tag.
      try await server.send("GET", url, headers: [("If-None-Match", "\"1\"")]).expect(200)
    }
  }

  @Test func `If-Match on a read compares the exact representation`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      for target in [url, "\(url)/image", "/memes"] {
        let tag = try #require(try await server.get(target)["etag"])
        for tags in [tag, "*", "\"a\", \(tag)"] {
          try await server.send("GET", target, headers: [("If-Match", tags)]).expect(200)
        }
        for tags in ["\"a\"", "W/\(tag)"] {
          try await server.send("GET", target, headers: [("If-Match", tags)]).expect(
            412, problem: "precondition-failed")
        }
        try await server.send("GET", target, headers: [("If-Match", "a")]).expect(
          400, problem: "malformed-request")
      }
    }
  }

  @Test func `errors ignore conditions and ranges`() async throws {
    try await withLiveServer { server in
      for field in [("If-None-Match", "*"), ("If-Match", "\"a\""), ("Range", "bytes=9-")] {
        try await server.send("GET", "/nothing", headers: [field]).expect(404)
        try await server.send("GET", "/memes?limit=0", headers: [field]).expect(422)
        try await server.send(
          "GET", "/memes/01234567-89ab-7def-8123-456789abcdef/image", headers: [field]
        ).expect(404, problem: "not-found")
      }
    }
  }

  @Test func `dates are ignored`() async throws {
    try await withLiveServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let dates = [
        ("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"),
        ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"),
      ]
      for target in [url, "\(url)/image"] {
        let answer = try await server.send("GET", target, headers: dates).expect(200)
        #expect(answer["last-modified"] == nil)
      }
    }
  }
}
