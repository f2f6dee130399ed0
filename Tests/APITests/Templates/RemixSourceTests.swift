import Support
import Testing
import Wire

/// The meme from which a remix was made, and the remixes of a meme.
struct RemixSourceTests {
  private func remix(
    _ server: TestServer, of url: String, _ fields: [FormBody.Part] = [], token: String? = nil
  ) async throws -> String {
    let id = String(url.dropFirst("/memes/".count))
    return try #require(
      try await server.post([.field("remix", id)] + fields, token: token).expect(201)["location"])
  }

  private func remixes(
    _ server: TestServer, of url: String, token: String? = nil
  ) async throws -> [String] {
    let list = try await server.get("\(url)/remixes", token: token).expect(200).json
    return list.items.elements.compactMap { $0.id.text.map { "/memes/\($0)" } }
  }

  @Test func `a remix names its source to callers who can see both`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let source = try await server.make("public", token: ada)
      let id = JSON.string(String(source.dropFirst("/memes/".count)))
      let url = try await remix(server, of: source, token: ada)
      #expect(try await server.get(source).json.remixOf == .null)
      // Twice, because the second response may come from a cache.
      for visibility in ["public", "private", "public"] {
        try await server.patch(source, #"{"visibility": "\#(visibility)"}"#, token: ada)
          .expect(200)
        let seen = visibility == "public" ? id : .null
        for _ in 1...2 {
          #expect(try await server.get(url).expect(200).json.remixOf == seen)
          #expect(try await server.get(url, token: eve).expect(200).json.remixOf == seen)
          let list = try await server.get("/memes").expect(200).json.items.elements
          #expect(list.first?.remixOf == seen)
        }
        #expect(try await server.get(url, token: ada).json.remixOf == id)
      }
      try await server.delete(source, token: ada).expect(204)
      for token in [nil, ada] {
        #expect(try await server.get(url, token: token).json.remixOf == .null)
      }
      try await server.send(
        "POST", "\(source)/restore", headers: [("Authorization", "Bearer \(ada)")]
      ).expect(200)
      #expect(try await server.get(url).json.remixOf == id)
    }
  }

  @Test func `an edit of the picture changes the source, and other edits keep it`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let sources = [
        try await server.make("public", token: ada), try await server.make("public", token: ada),
      ]
      let ids = sources.map { String($0.dropFirst("/memes/".count)) }
      let url = try await remix(server, of: sources[0], token: ada)
      let captioned = try await server.patch(url, #"{"top": "new"}"#, token: ada).expect(200)
      #expect(captioned.json.remixOf == .string(ids[0]))
      let other = try await server.patch(
        url, #"{"remix": "\#(ids[1])", "crop": "0,0,20,20"}"#, token: ada
      ).expect(200)
      #expect(other.json.remixOf == .string(ids[1]))
      #expect(try await remixes(server, of: sources[0]).isEmpty)
      #expect(try await remixes(server, of: sources[1]) == [url])
      let template = try await server.keepTemplate(token: ada).expect(201).json.id.text ?? ""
      let own = try await server.patch(
        url, #"{"template": "\#(template)", "crop": null}"#, token: ada
      ).expect(200)
      #expect(own.json.remixOf == .null)
      #expect(try await remixes(server, of: sources[1]).isEmpty)
    }
  }

  @Test func `a meme does not become its own source`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let source = try await server.make("public", token: ada)
      let url = try await remix(server, of: source, token: ada)
      // A new crop makes the picture another one.
      for (meme, wanted) in [
        (source, JSON.null), (url, JSON.string(String(source.dropFirst("/memes/".count)))),
      ] {
        let id = String(meme.dropFirst("/memes/".count))
        try await server.patch(meme, #"{"crop": "0,0,20,20"}"#, token: ada).expect(200)
        let edited = try await server.patch(meme, #"{"remix": "\#(id)"}"#, token: ada).expect(200)
        #expect(edited.json.version.int == 3 && edited.json.original.width.int == 20)
        #expect(edited.json.remixOf == wanted)
      }
      #expect(try await remixes(server, of: source) == [url])
      #expect(try await remixes(server, of: url).isEmpty)
    }
  }

  @Test func `the remixes of a meme are listed as each caller can see them`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let source = try await server.make("public", token: ada)
      let all = [
        try await remix(server, of: source),
        try await remix(server, of: source, [.field("visibility", "private")], token: eve),
        try await remix(server, of: source, token: ada),
      ]
      _ = try await remix(server, of: all[0])
      #expect(try await remixes(server, of: source) == [all[2], all[0]])
      #expect(try await remixes(server, of: source, token: eve) == all.reversed())
      #expect(try await remixes(server, of: source, token: server.adminToken) == all.reversed())
      let first = try await server.get("\(source)/remixes?limit=1&view=grid", token: eve).expect(
        200)
      let cursor = try #require(first.json.nextCursor.text)
      let rest = try await server.get(
        "\(source)/remixes?limit=5&view=table&cursor=\(cursor)", token: eve
      ).expect(200)
      #expect(rest.json.items.elements.count == 2 && rest.json.nextCursor == .null)
      try await server.put("/users/ada/block", token: eve).expect(204)
      try await server.get("\(source)/remixes", token: eve).expect(404)
      try await server.delete(source, token: ada).expect(204)
      try await server.get("\(source)/remixes").expect(410, problem: "gone")
    }
  }
}
