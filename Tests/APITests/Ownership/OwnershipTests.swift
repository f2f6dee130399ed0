import Support
import Testing
import Wire

/// Ownership of memes and templates by accounts.
struct OwnershipTests {
  @Test func `an account owns its memes on every device, without delete tokens`() async throws {
    try await withServer { server in
      let (phone, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let laptop = try await server.token("ada")
      try await server.json(
        "PATCH", "/users/me", #"{"displayName":"Ada 🐈"}"#, token: phone
      ).expect(200)
      let made = try await server.post(
        [.file("image", try Fixture.photo.bytes)], token: phone
      ).expect(201)
      #expect(made["meme-delete-token"] == nil && made.json.deleteToken == .null)
      #expect(made.json.author.username.text == "ada")
      #expect(made.json.author.displayName.text == "Ada 🐈")
      #expect(made.json.author.avatarUrl.text == "/users/ada/avatar")
      #expect(made.json.visibility.text == "public")
      let url = try #require(made["location"])

      let own = try await server.get(url, token: laptop).expect(200)
      #expect(own.response.body == made.response.body)
      #expect(own.json.viewer.canEdit.flag == true && own.json.viewer.canDelete.flag == true)
      try await server.get("\(url)/original", token: laptop).expect(200)
      let others = try await server.get(url, token: eve).expect(200).json
      #expect(others.author == own.json.author && others.original == .null)
      #expect(others.viewer.canEdit.flag == false && others.viewer.canDelete.flag == false)

      #expect(
        try await server.patch(url, #"{"top":"new"}"#, token: laptop).expect(200).json.top.text
          == "new")
      try await server.delete(url, token: laptop).expect(204)
      try await server.restore(url, token: eve).expect(403, problem: "forbidden")
      try await server.restore(url, token: phone).expect(200)
      let row = try await server.get("/memes?view=table").expect(200).json.items[0]
      #expect(row.author == own.json.author)
      #expect(try await server.get("/memes").json.items[0].author == own.json.author)
    }
  }

  @Test func `a new avatar shows at once, and settings set the default visibility`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let url = try await server.make(token: ada)
      for _ in 0..<2 { _ = try await server.get(url).expect(200) }
      let shown = try await server.send(
        "PUT", "/users/me/avatar", headers: [("Authorization", "Bearer \(ada)")],
        body: try Fixture.photo.bytes
      ).expect(200)
      let picture = try #require(shown.json.avatarUrl.text)
      #expect(picture.hasPrefix("/users/ada/avatar?v="))
      #expect(try await server.get(url).json.author.avatarUrl.text == picture)
      #expect(
        try await server.get("/memes?view=table").json.items[0].author.avatarUrl.text == picture)

      try await server.json(
        "PATCH", "/users/me/settings", #"{"visibility":"private"}"#, token: ada
      ).expect(200)
      let next = try await server.post(
        [.file("image", try Fixture.moving.bytes)], token: ada
      ).expect(201)
      #expect(next.json.visibility.text == "private")
      #expect(try await server.listed() == [url])
      #expect(try await server.upload(.moving).expect(201).json.visibility.text == "public")
    }
  }

  @Test func `a new display name shows at once`() async throws {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let url = try await server.make(token: ada)
      for _ in 0..<2 { #expect(try await server.get(url).json.author.displayName == .null) }
      _ = try await server.get("/memes?view=table")
      try await server.json("PATCH", "/users/me", #"{"displayName":"Ada"}"#, token: ada).expect(200)
      #expect(try await server.get(url).json.author.displayName.text == "Ada")
      let row = try await server.get("/memes?view=table").json.items[0]
      #expect(row.author.displayName.text == "Ada")
    }
  }

  @Test func `a client id matches only a meme of the same content and owner`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let id = "8d3b2f14-1c1e-4f6b-9a65-0b1f2f1d7c11"
      func send(_ token: String?, _ visibility: String = "private") async throws -> Answer {
        try await server.post(
          [
            .file("image", try Fixture.moving.bytes), .field("id", id),
            .field("visibility", visibility),
          ], token: token)
      }
      let first = try await send(ada).expect(201)
      #expect(try await send(ada).expect(200).json == first.json)
      try await send(ada, "public").expect(409, problem: "id-taken")
      for token in [eve, nil, server.adminToken] {
        try await send(token, "public").expect(409, problem: "id-taken", lacking: ["ada"])
      }
      // Only viewers who could see the meme learn that it was deleted.
      try await server.delete("/memes/\(id)", token: ada).expect(204)
      try await send(ada).expect(410, problem: "gone")
      try await send(eve, "public").expect(409, problem: "id-taken")
      try await send(server.adminToken, "public").expect(410, problem: "gone")
    }
  }

  @Test func `only its owner can delete a template`() async throws {
    try await withServer { server in
      let (ada, eve) = (try await server.signUp("ada"), try await server.signUp("eve"))
      let template = try await server.keepTemplate(token: ada).expect(201)
      #expect(template["meme-delete-token"] == nil && template.json.deleteToken == .null)
      let place = try #require(template["location"])
      try await server.delete(place, token: eve).expect(403, problem: "forbidden")
      try await server.get(place).expect(200)
      try await server.delete(place, token: ada).expect(204)
      try await server.delete(place, token: ada).expect(410, problem: "gone")
    }
  }

  @Test func `anonymous memes are public, and other visibilities are rejected`() async throws {
    try await withServer { server in
      for visibility in ["friends", "private"] {
        for token in [nil, server.adminToken] {
          try await server.post(
            [
              .file("image", try Fixture.moving.bytes), .field("visibility", visibility),
              .field("fill", "none"),
            ], token: token
          ).expect(
            422, problem: "invalid-input",
            fields: ["visibility needs-account", "fill invalid-colour"])
        }
      }
      let made = try await server.upload(.moving).expect(201)
      let url = try #require(made["location"])
      try await server.patch(
        url, #"{"visibility":"private"}"#, token: made["meme-delete-token"]
      ).expect(422, problem: "invalid-input", fields: ["visibility needs-account"])
      try await server.patch(
        url, #"{"visibility":"public"}"#, token: made["meme-delete-token"]
      ).expect(200)
      let ada = try await server.signUp("ada")
      try await server.post(
        [.file("image", try Fixture.moving.bytes), .field("visibility", "me")], token: ada
      ).expect(422, problem: "invalid-input", fields: ["visibility not-allowed"])
    }
  }
}
