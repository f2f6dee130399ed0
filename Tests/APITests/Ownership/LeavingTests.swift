import Support
import Testing

/// Deletion of an account.
struct LeavingTests {
  @Test func `deleting an account deletes everything that it made`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      try await server.befriend(("ada", ada), ("bob", bob))
      let open = try await server.make(top: "canary", token: ada)
      let friends = try await server.make("friends", token: ada)
      let trashed = try await server.make(token: ada)
      try await server.delete(trashed, token: ada).expect(204)
      let bobs = try await server.make(token: bob)
      let template = try #require(try await server.keepTemplate(token: ada)["location"])
      let upload = try #require(
        try await server.sendAhead(try Fixture.moving.bytes, token: ada).expect(201).json.id.text)
      try await server.get("\(open)/image?width=50").expect(200)
      try await server.json("POST", "\(open)/shares", #"{"channel":"link"}"#).expect(204)
      // The second request of each is answered from the cache.
      for _ in 0..<2 {
        for target in [open, "/memes"] { try await server.get(target).expect(200) }
      }

      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: ada
      ).expect(204)
      for path in ["", "/image", "/image?width=50", "/share"] {
        try await server.get(open + path).expect(410, problem: "gone")
        try await server.get(friends + path, token: bob).expect(404, problem: "not-found")
      }
      for meme in [open, friends, trashed] {
        try await server.restore(meme, token: server.adminToken).expect(410, problem: "gone")
      }
      try await server.get(template).expect(410)
      try await server.post([.field("upload", upload)], token: bob)
        .expect(422, fields: ["upload unknown-upload"])
      #expect(try await server.listed() == [bobs])
      #expect(try await server.listed(token: bob) == [bobs])
      let counts = try await server.get("/users/bob").json.counts
      #expect(counts.followers.int == 0 && counts.following.int == 0 && counts.memes.int == 1)

      let metrics = try await server.metrics()
      #expect(metrics.value("mememe_memes", ["state": "visible"]) == 1)
      let again = try await server.signUp("ada")
      #expect(try await server.get("/users/ada", token: bob).json.counts.memes.int == 0)
      #expect(try await server.listed("/memes?author=me", token: again).isEmpty)
    }
  }
}
