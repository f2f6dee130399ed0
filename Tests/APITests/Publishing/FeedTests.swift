import Support
import Testing

/// The feed, and lists in ascending order.
struct FeedTests {
  @Test func `the feed has one's own memes and those of followed people, at once`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let eve = try await server.signUp("eve")
      func feed(_ token: String, _ query: String = "?limit=2") async throws -> [String] {
        try await server.listed("/feed\(query)", token: token)
      }
      let nobodys = try await server.make()
      let (adas, hers) = (
        try await server.make(token: ada), try await server.make("private", token: ada)
      )
      let (open, close, own) = (
        try await server.make(token: bob), try await server.make("friends", token: bob),
        try await server.make("private", token: bob)
      )
      #expect(try await feed(ada) == [hers, adas])
      try await server.put("/users/bob/follow", token: ada).expect(204)
      #expect(try await feed(ada) == [open, hers, adas])
      try await server.put("/users/ada/follow", token: bob).expect(204)
      for query in ["?limit=1", "?limit=2&view=table", "?view=grid", "?limit=100"] {
        #expect(try await feed(ada, query) == [close, open, hers, adas])
      }
      #expect(try await feed(bob) == [own, close, open, adas])
      #expect(try await feed(eve).isEmpty)
      #expect(!(try await feed(ada)).contains(nobodys))

      try await server.delete(close, token: bob).expect(204)
      #expect(try await feed(ada) == [open, hers, adas])
      try await server.restore(close, token: bob).expect(200)
      try await server.patch(open, #"{"visibility":"private"}"#, token: bob).expect(200)
      #expect(try await feed(ada) == [close, hers, adas])
      try await server.delete("/users/ada/follow", token: bob).expect(204)
      #expect(try await feed(ada) == [hers, adas])
      try await server.patch(open, #"{"visibility":"public"}"#, token: bob).expect(200)
      #expect(try await feed(ada) == [open, hers, adas])
      try await server.put("/users/ada/block", token: bob).expect(204)
      #expect(try await feed(ada) == [hers, adas])
      #expect(try await feed(bob) == [own, close, open])
    }
  }

  @Test func `old memes of followed people come last in the feed`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      try await server.put("/users/bob/follow", token: ada).expect(204)
      let bobs = [try await server.make(token: bob), try await server.make(token: bob)]
      for _ in 0..<5 { _ = try await server.make() }
      let own = try await server.make(token: ada)
      for limit in 1...4 {
        #expect(
          try await server.listed("/feed?limit=\(limit)", token: ada) == [own, bobs[1], bobs[0]])
      }
    }
  }

  @Test func `the feed validates like other lists`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await server.get("/feed").expect(401, problem: "unauthorized")
      try await server.get("/feed?limit=0&view=x&sort=oldest", token: ada).expect(
        422, fields: ["limit out-of-range", "sort unknown-field", "view not-allowed"])
      try await server.get("/feed?cursor=AQAAAAAAAAAA", token: ada)
        .expect(400, problem: "invalid-cursor")
    }
  }

  @Test func `sort=oldest lists the oldest first, in pages`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      var all: [String] = []
      for number in 0..<5 {
        all.append(try await server.make(token: number % 2 == 0 ? ada : nil))
      }
      #expect(try await server.listed("/memes?sort=oldest&limit=2") == all)
      #expect(try await server.listed("/memes?sort=newest&limit=2") == all.reversed())
      #expect(
        try await server.listed("/memes?author=ada&sort=oldest&limit=2") == [
          all[0], all[2], all[4],
        ]
      )
      // A meme created between the two pages comes last.
      let first = try await server.get("/memes?sort=oldest&limit=4").expect(200)
      let late = try await server.make()
      let cursor = try #require(first.json.nextCursor.text)
      #expect(
        try await server.listed("/memes?sort=oldest&cursor=\(cursor)") == [all[4], late])
      try await server.get("/memes?sort=best").expect(422, fields: ["sort not-allowed"])
    }
  }
}
