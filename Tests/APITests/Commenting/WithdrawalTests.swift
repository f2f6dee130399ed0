import Support
import Testing
import Wire

/// Removal of comments, likes and favorites from memes that the person can no longer see.
struct WithdrawalTests {
  /// How ada's meme is hidden from bob.
  enum Hiding: CaseIterable, Sendable { case block, privacy }

  private func hide(
    _ meme: String, by hiding: Hiding, on server: TestServer, _ ada: String
  ) async throws {
    switch hiding {
    case .block: try await server.put("/users/bob/block", token: ada).expect(204)
    case .privacy:
      try await server.patch(meme, #"{"visibility":"private"}"#, token: ada).expect(200)
    }
  }

  private func comment(
    _ meme: String, on server: TestServer, token: String
  ) async throws -> String {
    let answer = try await server.json(
      "POST", "\(meme)/comments", #"{"text":"mine"}"#, token: token)
    return try #require(answer.expect(201)["location"])
  }

  @Test(arguments: Hiding.allCases)
  func `authors can delete comments on hidden memes, and learn nothing about others'`(
    hiding: Hiding
  ) async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let eve = try await server.signUp("eve")
      let meme = try await server.make(token: ada)
      let (mine, others) = (
        try await comment(meme, on: server, token: bob),
        try await comment(meme, on: server, token: eve)
      )
      try await hide(meme, by: hiding, on: server, ada)
      try await server.delete(others, token: bob).expect(404, problem: "not-found")
      try await server.patch(mine, #"{"text":"more"}"#, token: bob)
        .expect(404, problem: "not-found")
      try await server.delete(mine, token: bob).expect(204)
      try await server.delete(mine, token: bob).expect(404, problem: "not-found")
      let left = try await server.get("\(meme)/comments", token: ada).expect(200)
      #expect(left.json.items.elements.compactMap(\.author.username.text) == ["eve"])
    }
  }

  @Test(arguments: Hiding.allCases, ["like", "favorite"])
  func `reactions to hidden memes can be removed once, and reveal no other memes`(
    hiding: Hiding, mark: String
  ) async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (marked, other) = (
        try await server.make(token: ada), try await server.make(token: ada)
      )
      try await server.put("\(marked)/\(mark)", token: bob).expect(204)
      // A block hides all of ada's memes.
      for meme in hiding == .block ? [marked] : [marked, other] {
        try await hide(meme, by: hiding, on: server, ada)
      }
      try await server.delete("\(other)/\(mark)", token: bob).expect(404, problem: "not-found")
      try await server.delete("\(marked)/\(mark)", token: bob).expect(204)
      try await server.delete("\(marked)/\(mark)", token: bob).expect(404, problem: "not-found")
    }
  }
}
