import Support
import Testing

/// The visibility of memes in every list, and of people in the search, for every kind
/// of viewer, before and after changes.
struct ListingMatrixTests {
  private static let viewers = ["anonymous", "ada", "bob", "fan", "mal", "eve", "admin"]

  /// The lists of memes, in every order. Anonymous viewers and the admin token have no feed.
  private static let lists = [
    "/memes?limit=2", "/memes?sort=oldest&limit=2", "/memes?sort=popular&limit=2",
    "/memes?q=cat&limit=2", "/memes?q=cat&sort=newest&limit=2", "/memes?q=cat&author=ada&limit=2",
    "/memes?author=ada&limit=2", "/users/ada/memes?limit=2", "/memes?tag=cat&limit=2",
    "/memes?tag=cat&sort=oldest&limit=2",
    "/feed?limit=2",
  ]

  /// The access rule, written independently of the server: whether a viewer sees one of ada's memes. Bob is her friend,
  /// and fan follows her. `isBlockedEitherWay` is whether she or mal blocks the other.
  private func sees(_ viewer: String, _ meme: String, isBlockedEitherWay: Bool) -> Bool {
    switch viewer {
    case "admin", "ada": true
    case "mal" where isBlockedEitherWay: false
    case "bob": meme != "private"
    default: meme == "public"
    }
  }

  @Test(arguments: ["ada", "mal"])
  func `every list has exactly what its viewer may see, at once`(blocker: String) async throws {
    try await withServer { server in
      var tokens: [String: String] = ["admin": server.adminToken]
      for name in ["ada", "bob", "fan", "mal", "eve"] {
        tokens[name] = try await server.signUp(name)
      }
      let token = { (name: String) throws in try #require(tokens[name]) }
      try await server.befriend(("ada", token("ada")), ("bob", token("bob")))
      for name in ["fan", "mal"] {
        try await server.put("/users/ada/follow", token: token(name)).expect(204)
      }
      var memes: [String: String] = [:]
      for visibility in ["public", "friends", "private"] {
        memes[visibility] = try await server.make(
          visibility, top: "cat", ["tags": "cat"], token: token("ada"))
      }
      func check(_ moment: String, isBlockedEitherWay: Bool = false) async throws {
        for viewer in Self.viewers {
          for list in Self.lists {
            let expected = memes.filter {
              sees(viewer, $0.key, isBlockedEitherWay: isBlockedEitherWay)
            }
            // The popular list has only public memes.
            .filter { !list.contains("popular") || $0.key == "public" }
            let isFollower =
              viewer == "ada" || viewer == "bob" || viewer == "fan" || viewer == "mal"
            if list.hasPrefix("/feed"), viewer == "anonymous" || viewer == "admin" {
              try await server.get(list, token: tokens[viewer])
                .expect(viewer == "admin" ? 403 : 401)
            } else if list.contains("ada"), viewer == "mal", isBlockedEitherWay {
              try await server.get(list, token: tokens[viewer]).expect(404)
            } else {
              let isEmpty = list.hasPrefix("/feed") && !isFollower
              #expect(
                Set(try await server.listed(list, token: tokens[viewer]))
                  == (isEmpty ? Set<String>() : Set(expected.values)),
                "\(moment): \(viewer) \(list)")
            }
          }
          for (name, other) in [("ada", "mal"), ("mal", "ada")] {
            let found = try await server.get("/users?q=\(name)", token: tokens[viewer]).expect(200)
            let isHidden = isBlockedEitherWay && viewer == other
            #expect(
              found.json.items.elements.compactMap(\.username.text) == (isHidden ? [] : [name]),
              "\(moment): \(viewer) looks for \(name)")
          }
        }
      }
      try await check("at first")
      let other = blocker == "ada" ? "mal" : "ada"
      try await server.put("/users/\(other)/block", token: token(blocker)).expect(204)
      try await check("blocked", isBlockedEitherWay: true)
      try await server.delete("/users/\(other)/block", token: token(blocker)).expect(204)
      // The block has ended mal's follow.
      try await server.put("/users/ada/follow", token: token("mal")).expect(204)
      try await check("no longer blocked")

      // Each meme takes another one's visibility, and is deleted and restored.
      let first = memes
      for (visibility, next) in [
        ("public", "private"), ("private", "friends"), ("friends", "public"),
      ] {
        let meme = try #require(first[visibility])
        try await server.patch(meme, #"{"visibility":"\#(next)"}"#, token: token("ada")).expect(200)
        memes[next] = meme
      }
      try await check("edited")
      let all = memes
      for meme in all.values { try await server.delete(meme, token: token("ada")).expect(204) }
      memes = [:]
      try await check("deleted")
      for meme in all.values { try await server.restore(meme, token: token("ada")).expect(200) }
      memes = all
      try await check("restored")
    }
  }
}
