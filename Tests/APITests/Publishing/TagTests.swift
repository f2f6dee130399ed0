import Foundation
import Support
import Testing
import Wire

/// Tags of memes, lists by tag, and the list of tags.
struct TagTests {
  private static func json(_ tags: [String]) -> JSON { .array(tags.map(JSON.string)) }

  private func tags(_ server: TestServer, _ q: String = "") async throws -> [String] {
    let list = try await server.get("/tags\(q)").expect(200)
    return list.json.items.elements.map { "\($0.tag.text ?? "") \($0.memes.int ?? 0)" }
  }

  @Test func `a meme has the tags of its author, in one form`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(
        "public", ["tags": "#Grumpy-Cat, monday,GRUMPY-CAT"], token: ada)
      #expect(try await server.get(meme).json.tags == Self.json(["grumpy-cat", "monday"]))
      let other = try await server.make("public", ["tags": #"["日本語"]"#], token: ada)
      #expect(try await server.get(other).json.tags == Self.json(["日本語"]))
      // The first letter and the quotation mark after it in JSON are one Character.
      let joined = try await server.make("public", ["tags": "[\"\u{D4E}\",\"z\"]"], token: ada)
      #expect(try await server.get(joined).json.tags == Self.json(["\u{D4E}", "z"]))
      // In a list, so are the letter and the comma or space after it, and a space and the joiner after it.
      for list in ["\u{D4E},z", "\u{D4E} , \u{200D}z"] {
        let listed = try await server.make("public", ["tags": list], token: ada)
        #expect(try await server.get(listed).json.tags == Self.json(["\u{D4E}", "z"]))
      }
      let none = try await server.make("public", token: ada)
      #expect(try await server.get(none).json.tags == .array([]))

      let edited = try await server.patch(meme, #"{"tags":["b","a"]}"#, token: ada).expect(200)
      #expect(edited.json.tags == Self.json(["b", "a"]) && edited.json.version.int != 1)
      let version = edited.json.version
      let same = try await server.patch(meme, #"{"tags":["B","a"]}"#, token: ada).expect(200)
      #expect(same.json.version == version)
      let kept = try await server.patch(meme, #"{"altText":"a cat"}"#, token: ada).expect(200)
      #expect(kept.json.tags == Self.json(["b", "a"]))
      let reset = try await server.patch(meme, #"{"tags":null}"#, token: ada).expect(200)
      #expect(reset.json.tags == .array([]))
      #expect(try await server.listed("/memes?tag=b").isEmpty)
    }
  }

  @Test func `a beginning with a sigma has the tags with either form of it`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      for tag in ["οδος", "οδοσα"] {
        _ = try await server.make("public", ["tags": tag], token: ada)
      }
      for beginning in ["οδο", "οδος", "ΟΔΟΣ"] {
        let q = try #require(
          beginning.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
        #expect(try await tags(server, "?q=\(q)").sorted() == ["οδοσα 1", "οδος 1"].sorted())
      }
    }
  }

  @Test(arguments: [
    ("a b", "invalid-tag"), ("a,,-", "invalid-tag"), ("[", "not-json"),
    ("a,b,c,d,e,f,g,h,i,j,k", "too-many"),
  ])
  func `invalid tags are rejected`(tags: String, code: String) async throws {
    try await withServer { server in
      let answer = try await server.post([
        .file("image", try Fixture.moving.bytes), .field("tags", tags),
      ]).expect(422, problem: "invalid-input")
      #expect(answer.json.errors[0].field.text == "tags")
      #expect(answer.json.errors[0].code.text == code)
      try await server.get("/memes?tag=a%20b").expect(422)
      try await server.get("/memes?tag=a&q=b").expect(422)
      try await server.get("/memes?tag=a&author=me").expect(422)
      try await server.get("/memes?tag=a&sort=popular").expect(422)
    }
  }

  @Test func `memes are listed and found by their tags`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      var memes: [String] = []
      for number in 1...5 {
        memes.append(
          try await server.make("public", top: "x", ["tags": "t\(number % 2),all"], token: ada))
      }
      #expect(try await server.listed("/memes?tag=%23ALL&limit=2") == memes.reversed())
      #expect(try await server.listed("/memes?tag=all&sort=oldest&limit=2") == memes)
      #expect(
        try await server.listed("/memes?tag=t0&limit=1&view=grid") == [memes[3], memes[1]])
      #expect(try await server.listed("/memes?tag=t").isEmpty)
      let found = try await server.listed("/memes?q=T0&limit=1")
      #expect(Set(found) == [memes[3], memes[1]])
      try await server.patch(memes[3], #"{"tags":["t2"]}"#, token: ada).expect(200)
      #expect(try await server.listed("/memes?q=T0") == [memes[1]])
      #expect(try await server.listed("/memes?tag=t0") == [memes[1]])
      try await server.delete(memes[1], token: ada).expect(204)
      #expect(try await server.listed("/memes?tag=t0").isEmpty)
      try await server.restore(memes[1], token: ada).expect(200)
      #expect(try await server.listed("/memes?tag=t0") == [memes[1]])
    }
  }

  @Test func `the list of tags counts public memes only`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make("public", ["tags": "cat,cats,dog"], token: ada)
      _ = try await server.make("public", ["tags": "cats"], token: ada)
      _ = try await server.make("private", ["tags": "cats,catastrophe"], token: ada)
      _ = try await server.make("friends", ["tags": "cats,secret"], token: ada)
      #expect(try await tags(server) == ["cats 2", "cat 1", "dog 1"])
      #expect(try await tags(server, "?q=CA") == ["cats 2", "cat 1"])
      #expect(try await tags(server, "?q=%23cats") == ["cats 2"])
      #expect(try await tags(server, "?limit=1") == ["cats 2"])
      for q in ["secret", "zebra", "cat%20s", "cat%27", "cata"] {
        #expect(try await tags(server, "?q=\(q)").isEmpty, "\(q)")
      }
      try await server.patch(meme, #"{"visibility":"private"}"#, token: ada).expect(200)
      #expect(try await tags(server) == ["cats 1"])
    }
  }

  @Test func `hidden memes change nothing in a list of tags that is full`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      for number in 0..<4 {
        let tags = (0..<10).map { "m\(number)\($0)" }.joined(separator: ",")
        _ = try await server.make("public", ["tags": tags], token: ada)
      }
      let before = try await (tags(server, "?limit=100"), tags(server, "?q=m&limit=100"))
      #expect(before.0.count == 40 && before.1.count == 40)
      let hidden = try await server.make("private", ["tags": "m-a,m-b,m5"], token: ada)
      _ = try await server.make("friends", ["tags": "m-c"], token: ada)
      #expect(try await tags(server, "?limit=100") == before.0)
      #expect(try await tags(server, "?q=m&limit=100") == before.1)

      try await server.patch(hidden, #"{"visibility":"public"}"#, token: ada).expect(200)
      #expect(try await tags(server, "?q=m-") == ["m-a 1", "m-b 1"])
      try await server.delete(hidden, token: ada).expect(204)
      #expect(try await tags(server, "?q=m-").isEmpty)
      try await server.restore(hidden, token: ada).expect(200)
      #expect(try await tags(server, "?q=m-") == ["m-a 1", "m-b 1"])
    }
  }

  @Test func `a repetition with other tags is another meme`() async throws {
    try await withServer { server in
      let id = UUID().uuidString.lowercased()
      func send(_ tags: String) async throws -> Answer {
        try await server.post([
          .file("image", try Fixture.moving.bytes), .field("id", id), .field("tags", tags),
        ])
      }
      try await send("a,b").expect(201)
      try await send("A,#b").expect(200)
      try await send("a").expect(409)
    }
  }
}
