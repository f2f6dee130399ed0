import Foundation
import Support
import Testing

/// Notifications, as clients see them.
struct NotificationRouteTests {
  @Test func `a new follower is notified once, as unread until it is read`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let empty = try await server.get("/notifications", token: ada).expect(200)
      #expect(empty.json.items.elements.isEmpty && empty.json.unread.int == 0)
      try await server.put("/users/ada/follow", token: bob).expect(204)
      let told = try await server.get("/notifications", token: ada).expect(200)
      let item = told.json.items[0]
      #expect(item.kind.text == "follow" && item.count.int == 1 && item.read.flag == false)
      #expect(item.actors[0].username.text == "bob" && item.meme == .null)
      #expect(told.json.unread.int == 1 && told["cache-control"] == "private, no-cache")
      let tag = try #require(told["etag"])
      let asked = [("Authorization", "Bearer \(ada)"), ("If-None-Match", tag)]
      try await server.send("GET", "/notifications", headers: asked).expect(304)

      let cat = try await server.signUp("cat")
      try await server.put("/users/ada/follow", token: cat).expect(204)
      let through = try #require(item.id.text)
      for _ in 0..<2 {
        try await server.json(
          "PUT", "/notifications/read", #"{"through":"\#(through)"}"#, token: ada
        ).expect(204)
      }
      let grown = try await server.get("/notifications", token: ada).expect(200).json
      #expect(grown.unread.int == 1 && grown.items.elements.count == 1)
      #expect(grown.items[0].actors.elements.compactMap(\.username.text) == ["cat", "bob"])
      try await server.json("PUT", "/notifications/read", "{}", token: ada).expect(204)
      let read = try await server.get("/notifications", token: ada).expect(200).json
      #expect(read.unread.int == 0 && read.items[0].read.flag == true)
      #expect(try await server.get("/notifications", token: bob).json.items.elements.isEmpty)
    }
  }

  @Test func `notification pages link to the next page`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      for name in ["bob", "cat", "dan"] {
        let token = try await server.signUp(name)
        try await server.put("/users/ada/follow", token: token).expect(204)
        try await server.json("PUT", "/notifications/read", "{}", token: ada).expect(204)
      }
      var (names, next): ([String], String?) = ([], "/notifications?limit=1")
      while let target = next {
        let page = try await server.get(target, token: ada).expect(200)
        names += page.json.items.elements.compactMap { $0.actors[0].username.text }
        next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(String.init)
      }
      #expect(names == ["dan", "cat", "bob"])
    }
  }

  @Test func `likes and comments notify with the meme, until they are removed`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(top: "my cat", token: ada)
      try await server.put("\(meme)/like", token: bob).expect(204)
      let long = String(repeating: "👩‍👩‍👧‍👦", count: 200)
      var comments: [String] = []
      for text in ["first", long] {
        comments.append(
          try #require(
            try await server.json(
              "POST", "\(meme)/comments", #"{"text":"\#(text)"}"#, token: bob
            ).expect(201).json.id.text))
      }
      // A person's own likes and comments make no notification.
      try await server.put("\(meme)/like", token: ada).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"mine"}"#, token: ada).expect(201)
      let told = try await server.get("/notifications", token: ada).expect(200).json.items
      #expect(told.elements.map(\.kind.text) == ["comment", "like"])
      #expect(told.elements.map(\.count.int) == [2, 1])
      #expect(told[0].comment.id.text == comments[1])
      #expect(told[0].comment["text"].text == String(long.prefix(140)))
      for item in told.elements {
        #expect(item.meme.id.text.map { "/memes/\($0)" } == meme)
        #expect(item.meme.altText.text == "my cat")
        #expect(item.actors.elements.compactMap(\.username.text) == ["bob"])
        let thumbnail = try #require(item.meme.thumbnail.url.text)
        try await server.get(thumbnail, token: ada).expect(200)
      }
      try await server.delete("\(meme)/like", token: bob).expect(204)
      // The author of the meme deletes a comment of another person.
      try await server.delete("/comments/\(comments[1])", token: ada).expect(204)
      let left = try await server.get("/notifications", token: ada).expect(200).json
      #expect(left.items.elements.map(\.kind.text) == ["comment"] && left.unread.int == 1)
      #expect(left.items[0].comment["text"].text == "first")
      try await server.delete("/comments/\(comments[0])", token: bob).expect(204)
      #expect(try await server.get("/notifications", token: ada).json.items.elements.isEmpty)
    }
  }

  @Test func `disabled notifications are not created`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      try await server.json(
        "PATCH", "/users/me/settings",
        #"{"notifications":{"likes":false,"comments":false,"follows":false}}"#, token: ada
      ).expect(200)
      try await server.put("\(meme)/like", token: bob).expect(204)
      try await server.put("/users/ada/follow", token: bob).expect(204)
      try await server.json("POST", "\(meme)/comments", #"{"text":"x"}"#, token: bob).expect(201)
      let told = try await server.get("/notifications", token: ada).expect(200).json
      #expect(told.items.elements.isEmpty && told.unread.int == 0)
    }
  }

  @Test func `notification counts stay exact under concurrent likes and unlikes`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      let people = try await (0..<10).map { "person\($0)" }.asyncMap { try await server.signUp($0) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<50 {
          let token = people[client % people.count]
          group.addTask {
            for round in 0..<4 {
              if (client + round).isMultiple(of: 3) {
                try await server.delete("\(meme)/like", token: token).expect(204)
              } else {
                try await server.put("\(meme)/like", token: token).expect(204)
              }
              if client.isMultiple(of: 10) {
                try await server.json("PUT", "/notifications/read", "{}", token: ada).expect(204)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      // A like that is repeated after it was read adds no notification, so there are at most as many as likes.
      let likes = try #require(try await server.get(meme, token: ada).json.counts.likes.int)
      let told = try await server.get("/notifications?limit=100", token: ada).json.items.elements
      let counts = told.compactMap(\.count.int)
      #expect(counts.allSatisfy { $0 > 0 } && counts.reduce(0, +) <= likes)
      for token in people { try await server.delete("\(meme)/like", token: token).expect(204) }
      #expect(try await server.get("/notifications", token: ada).json.items.elements.isEmpty)
    }
  }

  @Test func `a block hides notifications, and lifting it restores them`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let id = try #require(try await server.make(token: ada).split(separator: "/").last)
      try await server.put("/memes/\(id)/like", token: bob).expect(204)
      #expect(try await server.get("/notifications", token: ada).json.unread.int == 1)
      for (blocker, blocked) in [(ada, "bob"), (bob, "ada")] {
        try await server.put("/users/\(blocked)/block", token: blocker).expect(204)
        let told = try await server.get("/notifications", token: ada).expect(
          200, lacking: ["bob", String(id)])
        #expect(told.json.items.elements.isEmpty && told.json.unread.int == 0)
        try await server.delete("/users/\(blocked)/block", token: blocker).expect(204)
        let again = try await server.get("/notifications", token: ada).expect(200).json
        #expect(again.items[0].meme.id.text == String(id) && again.unread.int == 1)
      }
    }
  }

  @Test func `invalid requests are rejected and mark nothing as read`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      try await server.put("/users/ada/follow", token: bob).expect(204)
      try await server.get("/notifications?limit=0&cursor=x&kind=like", token: ada).expect(
        422, fields: ["limit out-of-range", "kind unknown-field"])
      try await server.get("/notifications?cursor=x", token: ada)
        .expect(400, problem: "invalid-cursor")
      for through in ["x", UUID().uuidString, "018bcfe5-687b-7000-c000-000000000001"] {
        try await server.json(
          "PUT", "/notifications/read", #"{"through":"\#(through)"}"#, token: ada
        ).expect(422, problem: "invalid-input", fields: ["through unknown-notification"])
      }
      try await server.json(
        "PUT", "/notifications/read", #"{"through":1,"all":true}"#, token: ada
      ).expect(422, fields: ["through not-a-text", "all unknown-field"])
      for body in ["", "[]", "{"] {
        try await server.json("PUT", "/notifications/read", body, token: ada)
          .expect(400, problem: "malformed-request")
      }
      #expect(try await server.get("/notifications", token: ada).json.unread.int == 1)
    }
  }
}
