import Support
import Testing

/// Responses to a client that changes a version which is no longer current.
struct StaleEditTests {
  @Test func `a stale edit or deletion gets the current version`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(top: "old", token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.patch(meme, #"{"top":"new"}"#, token: ada).expect(200)
      for token in [ada, server.adminToken] {
        let now = try await server.get(meme, token: token).expect(200).json
        let stale = [("Authorization", "Bearer \(token)"), ("If-Match", "\"1\"")]
        let edited = try await server.patch(meme, #"{"bottom":"x"}"#, headers: stale)
        edited.expect(412, problem: "precondition-failed")
        #expect(edited.json.meme == now && now.version.int == 2)
        let deleted = try await server.send("DELETE", meme, headers: stale)
        deleted.expect(412, problem: "precondition-failed")
        #expect(deleted.json.meme == now)
      }
      // The version in the problem is the one for the next attempt.
      try await server.patch(
        meme, #"{"bottom":"x"}"#, token: ada, headers: [("If-Match", "\"2\"")]
      ).expect(200)
    }
  }

  @Test func `a stale edit without permission reveals nothing`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      for (visibility, status) in [("public", 403), ("private", 404)] {
        let meme = try await server.make(visibility, top: "secret", token: ada)
        let stale = [("Authorization", "Bearer \(bob)"), ("If-Match", "\"9\"")]
        try await server.patch(meme, "{}", headers: stale).expect(status, lacking: ["secret"])
        try await server.send("DELETE", meme, headers: stale).expect(status, lacking: ["secret"])
      }
      let mine = try await server.upload(top: "nobody's").expect(201).json
      let token = try #require(mine.deleteToken.text)
      let id = try #require(mine.id.text)
      let answer = try await server.patch(
        "/memes/\(id)", "{}", token: token, headers: [("If-Match", "\"9\"")])
      answer.expect(412, lacking: ["deleteToken"])
      #expect(answer.json.meme == (try await server.get("/memes/\(id)", token: token).json))
    }
  }

  @Test func `a stale edit of a deleted meme gets no version`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      try await server.delete(meme, token: ada).expect(204)
      let stale = [("Authorization", "Bearer \(ada)"), ("If-Match", "\"9\"")]
      try await server.patch(meme, "{}", headers: stale).expect(410, problem: "gone")
      // An admin's deletion of a meme that its owner has deleted honors If-Match too.
      let admin = [("Authorization", "Bearer \(server.adminToken)"), ("If-Match", "\"9\"")]
      let answer = try await server.send("DELETE", meme, headers: admin)
      answer.expect(412, problem: "precondition-failed")
      #expect(answer.json.meme == .null)
    }
  }
}
