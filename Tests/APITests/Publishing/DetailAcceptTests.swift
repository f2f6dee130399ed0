import Support
import Testing
import Wire

/// `GET /memes/{id}` with an `Accept` header.
struct DetailAcceptTests {
  @Test(arguments: [
    (nil, "application/json"), ("*/*", "application/json"),
    ("application/json", "application/json"),
    ("image/*", "image/jpeg"), ("image/jpeg", "image/jpeg"),
    ("application/json;q=0.5, image/jpeg", "image/jpeg"),
    ("image/jpeg;q=0.5, application/json", "application/json"),
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"),
  ])
  func `the meme is JSON unless Accept prefers the image`(
    accept: String?, mediaType: String
  ) async throws {
    try await withServer { server in
      let meme = try await server.make()
      // The second response comes from the cache.
      for _ in 0..<2 {
        for method in ["GET", "HEAD"] {
          let headers = accept.map { [("Accept", $0)] } ?? []
          let answer = try await server.send(method, meme, headers: headers).expect(200)
          #expect(answer["content-type"] == mediaType && answer["vary"] == "Accept")
        }
      }
      let image = try await server.get("\(meme)/image").expect(200)
      let shown = try await server.send("GET", meme, headers: [("Accept", "image/*")])
      #expect(shown.response.body == image.response.body)
      #expect(shown["etag"] == image["etag"])
      try await server.send(
        "GET", meme, headers: [("Accept", "image/*"), ("If-None-Match", image["etag"] ?? "")]
      ).expect(304)
    }
  }

  @Test(arguments: ["text/plain", "image/png", "application/json;q=0, image/jpeg;q=0"])
  func `other media types get 406`(accept: String) async throws {
    try await withServer { server in
      let meme = try await server.make()
      try await server.send("GET", meme, headers: [("Accept", accept)])
        .expect(406, problem: "not-acceptable")
      // A viewer who may not see the meme gets 404, as without the header.
      let hidden = try await server.make("private", token: try await server.signUp("ada"))
      try await server.send("GET", hidden, headers: [("Accept", accept)])
        .expect(404, problem: "not-found")
    }
  }
}
