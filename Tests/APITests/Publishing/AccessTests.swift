import Support
import Testing
import Wire
import mememe

struct AccessTests {
  @Test func `only the uploader's and the admin's token delete a meme`() async throws {
    try await withServer { server in
      let first = try await server.upload().expect(201)
      let second = try await server.upload().expect(201)
      let url = try #require(first["location"])
      let token = try #require(first["meme-delete-token"])
      let other = try #require(second["meme-delete-token"])

      let none = try await server.delete(url).expect(401, problem: "unauthorized")
      #expect(none["www-authenticate"]?.hasPrefix("Bearer") == true)
      for wrong in [other, "x", token + "x", String(token.dropLast())] {
        try await server.delete(url, token: wrong).expect(
          401, problem: "unauthorized", lacking: [token])
      }
      try await server.get(url).expect(200)
      try await server.delete(url, token: token).expect(204)
      try await server.delete(url, token: token).expect(410, problem: "gone")

      let secondURL = try #require(second["location"])
      try await server.delete(secondURL, token: server.adminToken).expect(204)
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }

  @Test func `a deleted meme is gone from every address`() async throws {
    try await withServer { server in
      let answer = try await server.upload().expect(201)
      let url = try #require(answer["location"])
      try await server.delete(url, token: answer["meme-delete-token"]).expect(204)
      for path in ["", "/image", "/thumbnail", "/thumbnail?view=table"] {
        try await server.get(url + path).expect(410, problem: "gone")
      }
      try await server.get("\(url)/original", token: server.adminToken).expect(410, problem: "gone")
      try await server.get("\(url)/original").expect(404, problem: "not-found")
    }
  }

  @Test func `only the uploader and the admin get the original, byte for byte`() async throws {
    try await withServer { server in
      let answer = try await server.upload(.photo, top: "x").expect(201)
      let url = try #require(answer["location"])
      let token = try #require(answer["meme-delete-token"])
      try await server.get("\(url)/original").expect(404, problem: "not-found")
      try await server.get("\(url)/original", token: "wrong").expect(401, problem: "unauthorized")
      for shown in [token, server.adminToken] {
        let original = try await server.get("\(url)/original", token: shown).expect(200)
        #expect(original.response.body == (try Fixture.photo.bytes))
        let meme = try await server.get(url, token: shown).expect(200).json
        #expect(meme.original.width.int == 640)
        #expect(meme.original.sha256.text?.count == 64)
        #expect(meme.viewer.canDelete.flag == true)
      }
      let meme = try await server.get(url).expect(200).json
      #expect(meme.original == .null)
      #expect(meme.viewer.canDelete.flag == false)
    }
  }

  @Test(arguments: [
    "/memes", "/memes.atom", "/memes/01234567-89ab-7def-8123-456789abcdef", "/fonts",
  ])
  func `a wrong token is rejected even if none is required`(target: String) async throws {
    try await withServer { server in
      try await server.get(target, token: "wrong").expect(401, problem: "unauthorized")
    }
  }

  @Test func `without anonymous access only health and contract need no token`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      try await server.get("/memes").expect(401, problem: "unauthorized")
      try await server.get("/memes.atom").expect(401, problem: "unauthorized")
      try await server.upload().expect(401, problem: "unauthorized")
      try await server.get("/healthz").expect(200)
      try await server.get("/openapi.yaml").expect(200)
      let token = "Bearer \(server.adminToken)"
      let url = try await server.upload(headers: [("Authorization", token)]).expect(201)["location"]
      try await server.get(try #require(url), token: server.adminToken).expect(200)
    }
  }

  @Test(arguments: ["x", "01234567-89ab-7def-8123-456789abcde", "../../etc/passwd", "%2e%2e"])
  func `a malformed id is 404`(id: String) async throws {
    try await withServer { server in
      try await server.get("/memes/\(id)").expect(404, problem: "not-found")
    }
  }

  @Test func `an unknown id is 404 everywhere`() async throws {
    try await withServer { server in
      let url = "/memes/01234567-89ab-7def-8123-456789abcdef"
      for path in ["", "/image", "/thumbnail", "/original"] {
        try await server.get(url + path).expect(404, problem: "not-found")
      }
      try await server.delete(url, token: server.adminToken).expect(404, problem: "not-found")
    }
  }
}
