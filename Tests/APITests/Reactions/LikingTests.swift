import Foundation
import Support
import Testing
import Wire

/// Likes and favorites: visibility and counts.
struct LikingTests {
  /// A meme's counts, which must be the same in the detail and in both lists that show them.
  private func counts(
    _ server: TestServer, _ meme: String, token: String? = nil
  ) async throws -> [Int?] {
    var all: [[Int?]] = []
    var found = [try await server.get(meme, token: token).expect(200).json]
    for view in ["full", "table"] {
      found += try await server.get("/memes?view=\(view)", token: token).expect(200).json.items
        .elements.filter { "/memes/\($0.id.text ?? "")" == meme }
    }
    for json in found {
      let counts = json.counts
      all.append([counts.likes.int, counts.favorites.int, counts.comments.int, counts.shares.int])
    }
    #expect(all.count == 3 && Set(all).count == 1)
    return all[0]
  }

  @Test func `a like counts once and at once, and can be removed`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let meme = try await server.make(token: ada)
      let version = try await server.get(meme, token: ada).json.version.int
      for (method, likes) in [("PUT", 1), ("PUT", 1), ("DELETE", 0), ("DELETE", 0), ("PUT", 1)] {
        try await server.send(
          method, "\(meme)/like", headers: [("Authorization", "Bearer \(bob)")]
        ).expect(204)
        // The second response without a token comes from the cache.
        for token in [nil, nil, ada, bob, server.adminToken] {
          #expect(try await counts(server, meme, token: token) == [likes, 0, 0, 0])
        }
        for (token, liked) in [(nil, false), (ada, false), (bob, likes == 1)] {
          let viewer = try await server.get(meme, token: token).json.viewer
          #expect(viewer.liked.flag == liked && viewer.favorited.flag == false)
        }
        #expect(try await server.usernames("\(meme)/likes") == (likes == 1 ? ["bob"] : []))
      }
      // A like is not an edit.
      #expect(try await server.get(meme, token: ada).json.version.int == version)
    }
  }

  @Test func `favorites are a private list, newest first, in every view`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      var memes: [String] = []
      for number in 0..<5 { memes.append(try await server.make(top: "meme \(number)", token: ada)) }
      let order = [2, 0, 4, 1, 3].map { memes[$0] }
      for meme in order { try await server.put("\(meme)/favorite", token: bob).expect(204) }
      // Adding a favorite again does not move it.
      try await server.put("\(order[0])/favorite", token: bob).expect(204)
      let newest = Array(order.reversed())
      for limit in [1, 2, 5, 100] {
        for view in ["full", "table", "grid"] {
          let target = "/users/me/favorites?view=\(view)&limit=\(limit)"
          #expect(try await server.listed(target, token: bob) == newest)
        }
      }
      #expect(try await server.listed("/users/me/favorites", token: ada).isEmpty)
      // Everyone sees the number of favorites, but not whose they are.
      for token in [nil, ada, bob] {
        #expect(try await counts(server, memes[0], token: token) == [0, 1, 0, 0])
        let viewer = try await server.get(memes[0], token: token).json.viewer
        #expect(viewer.favorited.flag == (token == bob) && viewer.liked.flag == false)
      }
      try await server.delete("\(order[1])/favorite", token: bob).expect(204)
      try await server.delete(order[2], token: ada).expect(204)
      #expect(
        try await server.listed("/users/me/favorites", token: bob) == [
          order[4], order[3], order[0],
        ]
      )
      // A restored meme keeps its position.
      try await server.restore(order[2], token: ada).expect(200)
      #expect(
        try await server.listed("/users/me/favorites", token: bob)
          == [order[4], order[3], order[2], order[0]])
      try await server.get("/users/me/favorites?view=x&limit=0&author=ada", token: bob).expect(
        422, fields: ["view not-allowed", "limit out-of-range", "author unknown-field"])
      try await server.get("/users/me/favorites?cursor=x", token: bob)
        .expect(400, problem: "invalid-cursor")
    }
  }

  @Test func `a meme's likes are listed newest first, in pages`() async throws {
    try await withServer { server in
      let people = ["ada", "bob", "cat", "dan", "eve"]
      let meme = try await server.make()
      for name in people {
        try await server.put("\(meme)/like", token: try await server.signUp(name)).expect(204)
      }
      for limit in [1, 2, 5, 100] {
        #expect(
          try await server.usernames("\(meme)/likes?limit=\(limit)") == Array(people.reversed()))
      }
      let first = try await server.get("\(meme)/likes?limit=2")
      let tag = try #require(first["etag"])
      try await server.send(
        "GET", "\(meme)/likes?limit=2", headers: [("If-None-Match", tag)]
      ).expect(304)
      try await server.get("\(meme)/likes?limit=0&view=full").expect(
        422, fields: ["limit out-of-range", "view unknown-field"])
      try await server.get("\(meme)/likes?cursor=x").expect(400, problem: "invalid-cursor")
      let one = try await server.get("\(meme)/likes?limit=1").json.items[0]
      #expect(one.counts.followers.int == 0 && one.viewer.follows.flag == false)
    }
  }

  @Test func `blocked people's likes are neither listed nor counted for each other`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (mal, zoe) = (try await server.signUp("mal"), try await server.signUp("zoe"))
      let meme = try await server.make(token: zoe)
      for token in [ada, bob, mal, zoe] {
        for mark in ["like", "favorite"] {
          try await server.put("\(meme)/\(mark)", token: token).expect(204)
        }
        for name in ["ada", "bob", "mal"] {
          _ = try await server.put("/users/\(name)/follow", token: token)
        }
      }
      try await server.put("/users/mal/block", token: bob).expect(204)
      try await server.put("/users/mal/block", token: ada).expect(204)
      try await server.delete("/users/mal/follow", token: bob).expect(404)
      for (viewer, likes) in [
        (nil, 4), (zoe, 4), (bob, 3), (ada, 3), (mal, 2),
      ] as [(String?, Int)] {
        #expect(try await counts(server, meme, token: viewer) == [likes, 4, 0, 0])
        #expect(try await server.usernames("\(meme)/likes", token: viewer).count == likes)
        for name in ["ada", "bob", "zoe"] where viewer != mal || name == "zoe" {
          let profile = try await server.get("/users/\(name)", token: viewer).expect(200).json
            .counts
          for circle in ["followers", "following"] {
            let listed = try await server.usernames("/users/\(name)/\(circle)", token: viewer)
            #expect(profile[circle].int == listed.count)
          }
        }
      }
      #expect(try await counts(server, meme, token: server.adminToken) == [4, 4, 0, 0])
      // Without the blocks everything is visible again.
      for token in [ada, bob] {
        try await server.delete("/users/mal/block", token: token).expect(204)
      }
      for token in [ada, bob, mal] {
        #expect(try await counts(server, meme, token: token) == [4, 4, 0, 0])
      }
    }
  }

  @Test func `a hidden meme cannot be liked and reveals nothing`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (open, hidden) = (
        try await server.make(token: ada), try await server.make("private", token: ada)
      )
      for mark in ["like", "favorite"] {
        try await server.put("\(open)/\(mark)").expect(401, problem: "unauthorized")
        try await server.put("\(hidden)/\(mark)", token: bob).expect(404, problem: "not-found")
        try await server.put("/memes/x/\(mark)", token: bob).expect(404, problem: "not-found")
        try await server.put("\(open)/\(mark)", token: server.adminToken).expect(403)
        try await server.put("\(open)/\(mark)", token: bob).expect(204)
        try await server.put("\(hidden)/\(mark)", token: ada).expect(204)
      }
      // The reactions are hidden and shown with their meme.
      try await server.json("PATCH", open, #"{"visibility":"private"}"#, token: ada).expect(200)
      #expect(try await server.listed("/users/me/favorites", token: bob).isEmpty)
      try await server.get("\(open)/likes", token: bob).expect(404)
      // ``WithdrawalTests`` covers the removal of one's own reactions.
      try await server.delete("\(hidden)/like", token: bob).expect(404)
      #expect(try await server.usernames("\(open)/likes", token: ada) == ["bob"])
      try await server.json("PATCH", open, #"{"visibility":"public"}"#, token: ada).expect(200)
      #expect(try await server.listed("/users/me/favorites", token: bob) == [open])

      try await server.delete(open, token: ada).expect(204)
      for mark in ["like", "favorite"] {
        try await server.put("\(open)/\(mark)", token: bob).expect(410, problem: "gone")
        try await server.delete("\(open)/\(mark)", token: bob).expect(410, problem: "gone")
      }
      try await server.get("\(open)/likes").expect(410, problem: "gone")
      try await server.restore(open, token: ada).expect(200)
      #expect(try await counts(server, open, token: bob) == [1, 1, 0, 0])
    }
  }

  @Test func `like counts stay exact under concurrent likes and unlikes`() async throws {
    try await withServer { server in
      let meme = try await server.make()
      let people = try await (0..<50).map { "person\($0)" }.asyncMap {
        try await server.signUp($0)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (client, token) in people.enumerated() {
          group.addTask {
            for round in 0..<8 {
              let likes = (client + round).isMultiple(of: 3)
              try await server.send(
                likes ? "PUT" : "DELETE", "\(meme)/like",
                headers: [("Authorization", "Bearer \(token)")]
              ).expect(204)
              try await server.put("\(meme)/favorite", token: token).expect(204)
            }
          }
        }
        try await group.waitForAll()
      }
      // The last round has the index 7.
      let likes = (0..<50).count { ($0 + 7).isMultiple(of: 3) }
      #expect(try await counts(server, meme) == [likes, 50, 0, 0])
      #expect(try await server.usernames("\(meme)/likes").count == likes)
    }
  }

  @Test func `a like keeps the meme's cached pictures`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let meme = try await server.make(token: token)
      for target in ["\(meme)/image", "/m/\(meme.dropFirst("/memes/".count))", meme] {
        try await server.get(target).expect(200)
      }
      func kept() async throws -> Double {
        try await server.metrics().value("mememe_answers_kept")
      }
      #expect(try await kept() == 3)
      try await server.put("\(meme)/like", token: token).expect(204)
      #expect(try await kept() == 2)
      // A call that changes nothing evicts nothing.
      try await server.get(meme).expect(200)
      try await server.put("\(meme)/like", token: token).expect(204)
      #expect(try await kept() == 3)
    }
  }

  @Test func `deleting an account deletes its likes and favorites`() async throws {
    try await withServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let memes = [try await server.make(token: ada), try await server.make(token: bob)]
      for token in [ada, bob] {
        for meme in memes {
          for mark in ["like", "favorite"] {
            try await server.put("\(meme)/\(mark)", token: token).expect(204)
          }
        }
      }
      #expect(try await counts(server, memes[1]) == [2, 2, 0, 0])
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: ada
      ).expect(204)
      #expect(try await counts(server, memes[1]) == [1, 1, 0, 0])
      #expect(try await server.usernames("\(memes[1])/likes") == ["bob"])
      #expect(try await server.listed("/users/me/favorites", token: bob) == [memes[1]])
      let statistics = try await server.get("/admin/stats", token: server.adminToken).json
      #expect(statistics.likes.int == 2)
    }
  }
}
