import Support
import Testing

/// Follows, friends, blocks and their lists.
struct FollowingTests {
  @Test func `two people are friends while they follow each other`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      for _ in 0..<2 { try await server.put("/users/BOB/follow", token: ada).expect(204) }
      var profile = try await server.get("/users/bob", token: ada).expect(200).json
      #expect(profile.viewer.follows.flag == true && profile.viewer.followedBy.flag == false)
      #expect(profile.counts.followers.int == 1 && profile.counts.following.int == 0)
      profile = try await server.get("/users/ada", token: bob).expect(200).json
      #expect(profile.viewer.follows.flag == false && profile.viewer.followedBy.flag == true)
      #expect(profile.counts.followers.int == 0 && profile.counts.following.int == 1)
      #expect(try await server.usernames("/users/me/friends", token: ada).isEmpty)

      try await server.put("/users/ada/follow", token: bob).expect(204)
      #expect(try await server.usernames("/users/me/friends", token: ada) == ["bob"])
      #expect(try await server.usernames("/users/me/friends", token: bob) == ["ada"])
      for _ in 0..<2 { try await server.delete("/users/bob/follow", token: ada).expect(204) }
      #expect(try await server.usernames("/users/me/friends", token: bob).isEmpty)
      #expect(try await server.usernames("/users/bob/following") == ["ada"])
      #expect(try await server.usernames("/users/bob/followers").isEmpty)
      let anybody = try await server.get("/users/ada").expect(200).json.viewer
      #expect(anybody.follows.flag == false && anybody.followedBy.flag == false)

      for target in ["/users/ada/follow", "/users/ada/block"] {
        try await server.put(target, token: ada)
          .expect(422, problem: "invalid-input", fields: ["username oneself"])
        try await server.delete(target, token: ada).expect(422, fields: ["username oneself"])
      }
      for name in ["nobody", "x", "me"] {
        try await server.put("/users/\(name)/follow", token: ada).expect(404, problem: "not-found")
        try await server.get("/users/\(name)/followers").expect(404, problem: "not-found")
      }
    }
  }

  @Test func `follow lists are newest first, in pages`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let people = ["bob", "cat", "dan", "eve"]
      for name in people {
        let token = try await server.signUp(name)
        try await server.befriend((name, token), ("ada", ada))
      }
      let newest = Array(people.reversed())
      for limit in [1, 2, 4, 100] {
        #expect(try await server.usernames("/users/ada/followers?limit=\(limit)") == newest)
        #expect(try await server.usernames("/users/ada/following?limit=\(limit)") == newest)
        let friends = "/users/me/friends?limit=\(limit)"
        #expect(try await server.usernames(friends, token: ada) == newest)
      }
      try await server.get("/users/ada/followers?limit=0&cursor=x&sort=name").expect(
        422, fields: ["limit out-of-range", "sort unknown-field"])
      try await server.get("/users/ada/followers?cursor=x").expect(400, problem: "invalid-cursor")
      let first = try await server.get("/users/ada/followers?limit=2")
      let tag = try #require(first["etag"])
      try await server.send(
        "GET", "/users/ada/followers?limit=2", headers: [("If-None-Match", tag)]
      ).expect(304)
    }
  }

  @Test func `people have an ID, and lists show since when they are in them`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let id = try await server.get("/users/me", token: bob).expect(200).json.id
      #expect(id.text?.count == 36)
      let meme = try await server.make(token: bob)
      #expect(try await server.get(meme).expect(200).json.author.id == id)
      try await server.put("/users/bob/follow", token: ada).expect(204)
      try await server.put("/users/ada/follow", token: bob).expect(204)
      try await server.put("\(meme)/like", token: bob).expect(204)
      let lists = [
        "/users/ada/followers", "/users/ada/following", "/users/me/friends", "\(meme)/likes",
      ]
      for list in lists {
        let listed = try await server.get(list, token: ada).expect(200).json.items[0]
        #expect(listed.id == id, "\(list)")
        let (liked, followed) = (listed.likedAt.text, listed.followedAt.text)
        let time = try #require(list.hasSuffix("likes") ? liked : followed)
        #expect(time >= listed.createdAt.text ?? "z" && [liked, followed].contains(nil), "\(list)")
      }
      try await server.put("/users/bob/block", token: ada).expect(204)
      let blocked = try await server.get("/users/me/blocks", token: ada).expect(200).json.items[0]
      #expect(blocked.id == id && blocked.likedAt.text == nil && blocked.followedAt.text == nil)
    }
  }

  @Test func `a block hides two people from each other and ends their follows`() async throws {
    try await withServer { server in
      let (ada, mal) = (try await server.signUp("ada"), try await server.signUp("mal"))
      let bob = try await server.signUp("bob")
      try await server.befriend(("ada", ada), ("mal", mal))
      try await server.befriend(("bob", bob), ("mal", mal))
      try await server.befriend(("bob", bob), ("ada", ada))
      let (adas, mals) = (
        try await server.make("friends", token: ada), try await server.make(token: mal)
      )
      let open = try await server.make(token: ada)
      for _ in 0..<2 { try await server.put("/users/mal/block", token: ada).expect(204) }

      for (token, name, memes) in [(mal, "ada", [adas, open]), (ada, "mal", [mals])] {
        for path in ["", "/memes", "/followers", "/following"] {
          try await server.get("/users/\(name)\(path)", token: token)
            .expect(404, problem: "not-found")
        }
        try await server.put("/users/\(name)/follow", token: token).expect(404)
        for meme in memes { try await server.get(meme, token: token).expect(404) }
        let listed = try await server.listed(token: token)
        #expect(Set(listed).isDisjoint(with: memes))
        #expect(
          try await server.usernames("/users/bob/followers", token: token).contains(name) == false)
        #expect(
          try await server.usernames("/users/bob/following", token: token).contains(name) == false)
        #expect(try await server.usernames("/users/me/friends", token: token) == ["bob"])
      }
      // Other people see both.
      #expect(try await server.usernames("/users/bob/followers").sorted() == ["ada", "mal"])
      #expect(try await server.listed(token: bob).sorted() == [adas, mals, open].sorted())
      #expect(try await server.get("/users/ada").json.counts.followers.int == 1)
      #expect(try await server.get("/users/mal").json.counts.following.int == 1)

      #expect(try await server.usernames("/users/me/blocks", token: ada) == ["mal"])
      let blocked = try await server.get("/users/me/blocks", token: ada).json.items[0]
      #expect(blocked.viewer.blocks.flag == true)
      #expect(try await server.usernames("/users/me/blocks", token: mal).isEmpty)
      // A blocked person learns nothing by blocking back, and cannot lift the block.
      try await server.put("/users/ada/block", token: mal).expect(404)
      try await server.delete("/users/ada/block", token: mal).expect(404)
      for _ in 0..<2 { try await server.delete("/users/mal/block", token: ada).expect(204) }
      try await server.get(open, token: mal).expect(200)
      try await server.get(adas, token: mal).expect(404)
      try await server.get("/users/mal", token: ada).expect(200)
    }
  }

  @Test func `follow counts stay exact under concurrent follows and unfollows`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let people = try await (0..<10).map { "person\($0)" }.asyncMap {
        ($0, try await server.signUp($0))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<50 {
          let (name, token) = people[client % people.count]
          group.addTask {
            for round in 0..<4 {
              if (client + round).isMultiple(of: 3) {
                try await server.delete("/users/ada/follow", token: token).expect(204)
              } else {
                try await server.put("/users/ada/follow", token: token).expect(204)
                try await server.put("/users/\(name)/follow", token: ada).expect(204)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let counts = try await server.get("/users/ada").json.counts
      #expect(counts.followers.int == (try await server.usernames("/users/ada/followers")).count)
      #expect(counts.following.int == people.count)
      var following = 0
      for (name, _) in people {
        following += try await server.get("/users/\(name)").json.counts.following.int ?? 0
      }
      #expect(counts.followers.int == following)
    }
  }
}
