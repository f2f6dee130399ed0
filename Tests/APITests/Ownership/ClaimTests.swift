import Support
import Testing
import Wire

/// `POST /memes/{id}/claim`.
struct ClaimTests {
  private func claim(
    _ server: TestServer, _ url: String, _ token: String?, for person: String?
  ) async throws -> Answer {
    try await server.json(
      "POST", "\(url)/claim", token.map { #"{"deleteToken":"\#($0)"}"# } ?? "{}", token: person)
  }

  @Test func `the delete token claims an anonymous meme once, and is then invalid`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let made = try await server.upload(.moving, top: "x").expect(201)
      let url = try #require(made["location"])
      let token = try #require(made["meme-delete-token"])
      // The second request is answered from the cache.
      for _ in 0..<2 { #expect(try await server.get(url).json.author == .null) }
      try await claim(server, url, nil, for: ada).expect(422, fields: ["deleteToken missing"])
      try await claim(server, url, token + "x", for: ada)
        .expect(422, problem: "invalid-input", fields: ["deleteToken wrong-token"])
      try await claim(server, url, token, for: nil).expect(401)

      let claimed = try await claim(server, url, token, for: ada).expect(200)
      #expect(claimed.json.author.username.text == "ada")
      #expect(claimed.json.viewer.canDelete.flag == true && claimed.json.version.int == 1)
      #expect(try await server.get(url).json.author.username.text == "ada")
      #expect(try await server.listed("/memes?author=me", token: ada) == [url])
      // Repeated, as if the first response was lost.
      try await claim(server, url, token, for: ada).expect(200)
      try await claim(server, url, token, for: eve).expect(409, problem: "already-claimed")

      #expect(try await server.get(url, token: token).expect(200).json.viewer.canEdit.flag == false)
      try await server.get("\(url)/original", token: token).expect(404)
      try await server.patch(url, #"{"top":"mine"}"#, token: token).expect(401)
      try await server.delete(url, token: token).expect(401)
      try await server.patch(url, #"{"visibility":"private"}"#, token: ada).expect(200)
      for (method, path) in [("GET", ""), ("GET", "/image"), ("DELETE", "")] {
        try await server.send(
          method, url + path, headers: [("Authorization", "Bearer \(token)")]
        ).expect(404, problem: "not-found")
      }
      try await claim(server, url, token, for: eve).expect(404, problem: "not-found")
      try await server.delete(url, token: ada).expect(204)
      try await claim(server, url, token, for: ada).expect(410, problem: "gone")
      try await claim(server, url, token, for: eve).expect(404, problem: "not-found")
    }
  }

  @Test func `one of many concurrent claims wins, and no token edit follows it`() async throws {
    try await withServer { server in
      let made = try await server.upload(.moving, top: "x").expect(201)
      let url = try #require(made["location"])
      let token = try #require(made["meme-delete-token"])
      let people = try await (0..<4).map { "person\($0)" }.asyncMap { try await server.signUp($0) }
      let statuses = try await withThrowingTaskGroup(of: (claims: Int?, edits: Int?).self) {
        group in
        for person in people {
          group.addTask { (try await claim(server, url, token, for: person).status, nil) }
        }
        for top in 0..<8 {
          group.addTask {
            (nil, try await server.patch(url, #"{"top":"\#(top)"}"#, token: token).status)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.compactMap(\.claims).sorted() == [200, 409, 409, 409])
      #expect(statuses.compactMap(\.edits).allSatisfy { [200, 401].contains($0) })
      let edits = statuses.compactMap(\.edits).count { $0 == 200 }
      #expect(try await server.get(url).json.version.int == 1 + edits)
    }
  }
}
