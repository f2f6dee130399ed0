import Memes
import Support
import Testing
import mememe

/// Search for memes and people, and the popular list, over HTTP.
struct SearchTests {
  @Test func `memes are found by words, in linked pages`() async throws {
    try await withServer { server in
      let (mordor, walk) = (
        try await server.make(top: "walk into mordor"), try await server.make(top: "mordor: walk!")
      )
      let alt = try await server.make(top: "x", ["altText": "He walks. A walk. Mordor"])
      _ = try await server.make(top: "nothing of it")
      for query in ["&limit=1", "&limit=2&view=table", "&view=grid", ""] {
        #expect(
          try await server.listed("/memes?q=WALK+into+Mordor\(query)") == [mordor], "\(query)")
        #expect(try await server.listed("/memes?q=mordor%20walk\(query)") == [walk, mordor, alt])
        #expect(
          try await server.listed("/memes?q=walk%20mordor&sort=newest\(query)")
            == [alt, walk, mordor])
        #expect(
          try await server.listed("/memes?q=walk%20mordor&sort=oldest\(query)")
            == [mordor, walk, alt])
      }
      #expect(try await server.listed("/memes?q=cat").isEmpty)
      let page = try await server.get("/memes?q=mordor%20%26%20walk&limit=1").expect(200)
      #expect(
        page["link"]?.contains("/memes?q=mordor%20%26%20walk&view=full&limit=1&cursor=") == true)
    }
  }

  @Test func `a search without letters or digits finds nothing in any view`() async throws {
    try await withServer { server in
      _ = try await server.make(top: "cat")
      for query in ["q=", "q=%22%2A%22", "q=%F0%9F%90%88%E2%80%8D", "q=!&author=ada"] {
        for view in ["full", "table", "grid"] {
          let answer = try await server.get("/memes?\(query)&view=\(view)").expect(200)
          #expect(answer.json.items.elements.isEmpty, "\(query)")
          #expect(answer["link"] == nil)
        }
      }
    }
  }

  @Test func `invalid searches are rejected with all errors`() async throws {
    try await withServer { server in
      let long = String(repeating: "a", count: 281)
      for (query, fields) in [
        ("q=\(long)", ["q too-long"]),
        ("q=%00a", ["q not-allowed"]), ("q=a&q=b", ["q duplicate"]),
        ("q=a&sort=popular", ["q not-together"]),
        ("author=ada&sort=popular", ["author not-together"]),
        ("q=a&sort=rank&limit=0", ["limit out-of-range", "sort not-allowed"]),
      ] {
        let answer = try await server.get("/memes?\(query)")
        if query.contains("%00") {
          #expect([400, 422].contains(answer.status))
        } else {
          answer.expect(422, problem: "invalid-input", fields: fields)
        }
      }
      _ = try await server.make(top: "cat")
      _ = try await server.make(top: "cat")
      let (plain, ranked) = (
        try #require(try await server.get("/memes?limit=1").json.nextCursor.text),
        try #require(try await server.get("/memes?q=cat&limit=1").json.nextCursor.text)
      )
      let popular = try #require(
        try await server.get("/memes?sort=popular&limit=1").json.nextCursor.text)
      for name in ["cat1", "cat2", "dog"] { try await server.register(name).expect(201) }
      let cats = try #require(try await server.get("/users?q=cat&limit=1").json.nextCursor.text)
      #expect(
        try await server.get("/users?q=ca&cursor=\(cats)").expect(200).json.items.elements
          .compactMap(\.username.text) == ["cat2"])
      for target in [
        "/users?q=dog&cursor=\(cats)", "/users?q=cat2&cursor=\(cats)",
        "/memes?q=cat&cursor=\(popular)", "/memes?sort=popular&cursor=\(ranked)",
        "/memes?q=cat&cursor=\(plain)", "/memes?sort=popular&cursor=\(plain)",
        "/memes?cursor=\(ranked)", "/memes?q=cat&sort=oldest&cursor=\(ranked)",
        "/users?q=cat&cursor=\(plain)", "/users?q=cat&cursor=03", "/feed?cursor=\(ranked)",
      ] {
        let token = target.hasPrefix("/feed") ? try await server.signUp("ada") : nil
        try await server.get(target, token: token).expect(400, problem: "invalid-cursor")
      }
      for (query, fields) in [
        ("", ["q missing"]), ("?q=%21", ["q empty"]),
        ("?q=\(long)&limit=x", ["limit not-a-number", "q too-long"]),
        ("?name=ada", ["name unknown-field", "q missing"]),
      ] {
        try await server.get("/users\(query)").expect(422, problem: "invalid-input", fields: fields)
      }
      try await server.get("/memes?q=cat&author=nobody").expect(404)
    }
  }

  @Test func `people are found by name, never by email`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      try await server.patch("/users/me", #"{"displayName":"Countess Lovelace"}"#, token: ada)
        .expect(200)
      for name in ["adam", "bob"] { try await server.register(name).expect(201) }
      func found(_ query: String, token: String? = nil) async throws -> [String] {
        try await server.usernames("/users?q=\(query)&limit=1", token: token)
      }
      #expect(try await found("ADA") == ["ada", "adam"])
      #expect(try await found("l%C3%B6ve") == ["ada"])
      #expect(try await found("love+count") == ["ada"])
      #expect(try await found("example").isEmpty)
      #expect(try await found("ada%40example.org").isEmpty)
      let one = try await server.get("/users?q=love", token: try await server.token("bob"))
        .expect(200).json.items[0]
      #expect(one.viewer.follows.flag == false && !one.keys.contains("email"))
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: ada
      )
      .expect(204)
      #expect(try await found("love").isEmpty)
    }
  }

  @Test func `each doubling of likes is worth twelve hours of age`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      var people: [String: String] = [:]
      for name in ["ada", "bob", "cat"] { people[name] = try await server.signUp(name) }
      func like(_ meme: String, by names: String...) async throws {
        for name in names { try await server.put("\(meme)/like", token: people[name]).expect(204) }
      }
      var memes: [String] = []
      for hour in [0, 13, 30] {
        clock.set(Int64(hour) * 3_600_000)
        memes.append(try await server.make(top: "\(hour)"))
      }
      func popular() async throws -> [Int] {
        try await server.listed("/memes?sort=popular&limit=1").compactMap(memes.firstIndex)
      }
      #expect(try await popular() == [2, 1, 0])
      // One like is worth twelve hours, three likes are worth a day.
      try await like(memes[0], by: "ada")
      #expect(try await popular() == [2, 1, 0])
      try await like(memes[0], by: "bob", "cat")
      #expect(try await popular() == [2, 0, 1])
      try await like(memes[1], by: "ada")
      #expect(try await popular() == [2, 1, 0])
      try await like(memes[1], by: "bob", "cat")
      #expect(try await popular() == [1, 2, 0])
      try await server.delete(memes[1], token: server.adminToken).expect(204)
      #expect(try await popular() == [2, 0])
    }
  }

  @Test func `searches are rate limited, other lists are not`() async throws {
    try await withServer({ $0.limitsRates = true }) { server in
      for target in ["/memes?q=cat&view=grid", "/users?q=cat"] {
        let client = target.hasPrefix("/users") ? "other" : "one"
        let token = try await server.signUp(client)
        let refused = try await server.exhaust(.search, "GET", target, token: token)
        #expect(refused.answer.status == 429 && refused.passed >= 120)
        refused.answer.expect(429, problem: "too-many-requests")
        try await server.get("/memes", token: token).expect(200)
      }
      #expect(
        try await server.get("/memes?q=cat").expect(200)["ratelimit"]?.contains("search") == true)
      #expect(try await server.get("/memes").expect(200)["ratelimit"] == nil)
    }
  }
}
