import Support
import Testing
import Wire
import mememe

/// A hidden meme looks like a missing one. ``AccessMatrixTests`` covers all viewers and operations.
struct VisibilityTests {
  @Test func `every request about a hidden meme looks as if it never existed`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let hidden = try await server.make("private", top: "secret", token: ada)
      let never = "/memes/01234567-89ab-7def-8123-456789abcdef"
      let asks: [(String, String, String?)] = [
        ("GET", "", nil), ("HEAD", "", nil), ("GET", "/image", nil), ("GET", "/image?v=1", nil),
        ("GET", "/image?v=9", nil), ("GET", "/image?width=50", nil), ("GET", "/thumbnail", nil),
        ("GET", "/original", nil), ("GET", "/share", nil), ("PATCH", "", #"{"top":"x"}"#),
        ("PATCH", "", #"{"top":1}"#), ("DELETE", "", nil), ("POST", "/restore", nil),
        ("POST", "/claim", #"{"deleteToken":"x"}"#), ("POST", "/shares", #"{"channel":"link"}"#),
        ("POST", "/shares", #"{"channel":"email","to":"bob@example.org"}"#),
      ]
      for (method, path, body) in asks {
        for condition in [nil, ("If-Match", "\"1\""), ("If-None-Match", "*")] {
          var headers = [("Authorization", "Bearer \(eve)")] + [condition].compactMap(\.self)
          if body != nil { headers.append(("Content-Type", "application/json")) }
          let answers = try await [hidden, never].asyncMap { meme in
            try await server.send(
              method, meme + path, headers: headers, body: body.map { Array($0.utf8) })
          }
          #expect(answers[0].status == 404, "\(method) \(path)")
          #expect(answers.map(\.told)[0] == answers.map(\.told)[1], "\(method) \(path)")
        }
      }
      #expect(try await server.listed(token: eve).isEmpty)
      #expect(try await server.get(hidden, token: ada).json.counts.shares.int == 0)
    }
  }

  @Test func `a hidden meme cannot be remixed and looks like a missing one`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      try await server.befriend(("ada", ada), ("bob", bob))
      func remix(_ meme: String, _ token: String?) async throws -> Answer {
        try await server.post(
          [.field("remix", String(meme.dropFirst("/memes/".count)))], token: token)
      }
      let (friends, own) = (
        try await server.make("friends", token: ada), try await server.make("private", token: ada)
      )
      try await remix(friends, bob).expect(201)
      try await remix(own, ada).expect(201)
      let never = try await remix("/memes/01234567-89ab-7def-8123-456789abcdef", bob)
        .expect(422, problem: "invalid-input", fields: ["remix unknown-meme"])
      #expect(try await remix(own, bob).expect(422).told == never.told)
      #expect(try await remix(friends, nil).expect(422).told == never.told)
    }
  }

  @Test func `only viewers who could see a deleted meme get 410, even after the purge`()
    async throws
  {
    for days in [7, 0] {
      try await withServer({ $0.trashDays = days }) { server in
        let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
        for (visibility, told) in [("public", 410), ("private", 404)] {
          let url = try await server.make(visibility, token: ada)
          try await server.delete(url, token: ada).expect(204)
          for path in ["", "/image", "/image?width=50", "/share"] {
            try await server.get(url + path, token: ada).expect(410)
            try await server.get(url + path, token: server.adminToken).expect(410)
            try await server.get(url + path, token: eve).expect(told)
            try await server.get(url + path).expect(told)
          }
          try await server.get("\(url)/original", token: ada).expect(410)
          try await server.get("\(url)/original", token: eve).expect(404)
        }
      }
    }
  }

  @Test func `a changed visibility applies at once, to cached responses too`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let url = try await server.make(token: ada)
      let paths = ["", "/image", "/image?v=1", "/image?width=50", "/thumbnail?v=1", "/share"]
      for path in paths + paths { try await server.get(url + path).expect(200) }
      #expect(
        try await server.get("\(url)/image?v=1")["cache-control"]?.hasPrefix("public") == true)
      #expect(try await server.listed() == [url])

      let edited = try await server.patch(url, #"{"visibility":"private"}"#, token: ada).expect(200)
      #expect(edited.json.visibility.text == "private" && edited.json.version.int == 2)
      for path in paths { try await server.get(url + path).expect(404) }
      #expect(try await server.listed().isEmpty)
      for path in ["/image", "/image?v=2", "/image?width=50&v=2", "/thumbnail?v=2"] {
        let picture = try await server.get(url + path, token: ada).expect(200)
        #expect(picture["cache-control"] == "private, no-cache")
        #expect(picture["cross-origin-resource-policy"] == "same-origin")
      }
      let page = try await server.get(
        "/m/\(url.dropFirst("/memes/".count))", token: ada
      ).expect(200)
      #expect(page["cache-control"] == "private, no-cache")
      // The cache does not serve the private picture to an anonymous request.
      try await server.get("\(url)/image?v=2").expect(404)

      // `null` restores the default.
      let back = try await server.patch(url, #"{"visibility":null}"#, token: ada).expect(200)
      #expect(back.json.visibility.text == "public" && back.json.version.int == 3)
      #expect(back.json.image.bytes == edited.json.image.bytes)
      try await server.get("\(url)/image?v=3").expect(200)
      #expect(try await server.listed() == [url])
    }
  }

  @Test func `lists have exactly what the viewer may see, overall and by author`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let eve = try await server.signUp("eve")
      try await server.befriend(("ada", ada), ("bob", bob))
      let nobodys = try await server.make()
      let all = try await ["public", "friends", "private"].asyncMap {
        try await server.make($0, token: ada)
      }
      let bobs = try await server.make("friends", token: bob)
      let (open, close, own) = (all[0], all[1], all[2])
      for (token, sees) in [
        (nil, [open, nobodys]), (eve, [open, nobodys]), (bob, [bobs, close, open, nobodys]),
        (ada, [bobs, own, close, open, nobodys]),
        (server.adminToken, [bobs, own, close, open, nobodys]),
      ] {
        for query in ["?limit=100", "?limit=1", "?limit=2&view=table", "?limit=2&view=grid"] {
          #expect(try await server.listed("/memes\(query)", token: token) == sees, "\(query)")
        }
        let adas = sees.filter(all.contains)
        #expect(try await server.listed("/memes?author=ADA&limit=1", token: token) == adas)
        #expect(try await server.listed("/users/ada/memes?limit=2", token: token) == adas)
        let profile = try await server.get("/users/ada", token: token).expect(200)
        #expect(profile.json.counts.memes.int == adas.count)
      }
      #expect(try await server.listed("/memes?author=me", token: ada) == [own, close, open])
      // The admin token has no account, so it has no memes of its own.
      try await server.get("/memes?author=me", token: server.adminToken)
        .expect(403, problem: "forbidden")
      try await server.get("/memes?author=me").expect(401, problem: "unauthorized")
      for target in ["/memes?author=nobody", "/memes?author=x", "/users/nobody/memes"] {
        try await server.get(target).expect(404, problem: "not-found")
      }
      try await server.get("/memes?author=ada&limit=0&top=1").expect(
        422, problem: "invalid-input", fields: ["limit out-of-range", "top unknown-field"])

      // A former friend sees what any account sees.
      try await server.delete("/users/ada/follow", token: bob).expect(204)
      #expect(try await server.listed(token: bob) == [bobs, open, nobodys])
      try await server.get(close, token: bob).expect(404)
    }
  }
}

extension Answer {
  /// The response, without the fields that differ with every request.
  fileprivate var told: [String] {
    let body = response.text.replacing(self["x-request-id"] ?? "", with: "")
    let headers = response.headers.filter {
      !["x-request-id", "date"].contains($0.name.lowercased())
    }
    return ["\(status)", body] + headers.map { "\($0.name): \($0.value)" }
  }
}

extension Array {
  func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
