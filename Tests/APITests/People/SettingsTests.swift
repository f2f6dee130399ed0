import Bytes
import Imaging
import Support
import Testing
import Wire

struct SettingsTests {
  private func set(
    _ server: TestServer, _ json: String, _ token: String, method: String = "PATCH",
    headers: [(String, String)] = []
  ) async throws -> Answer {
    try await server.json(method, "/users/me/settings", json, token: token, headers: headers)
  }

  @Test func `PATCH changes the fields it names, null resets them, and PUT resets the rest`()
    async throws
  {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let first = try await server.get("/users/me/settings", token: token).expect(200)
      #expect(first.json.theme.text == "system")
      #expect(first.json.accessibility.textScale.double == 1)
      #expect(first.json.captions.font == .null && first.json.visibility.text == "public")
      #expect(first.json.notifications.likes == .bool(true))

      let all = """
        {"theme":"dark","accessibility":{"textScale":1.5,"reducedMotion":true,"highContrast":true},
        "captions":{"font":"comic","fill":"#ffcc00","outline":"#112233","outlineWidth":0.2,"size":0.3,"case":"typed",
        "align":"left","layout":"bar"},"visibility":"friends",
        "notifications":{"likes":false,"comments":false,"follows":false}}
        """
      let set = try await set(server, all, token, method: "PUT").expect(200).json
      #expect(set == (try JSON(parsing: Array(all.utf8))))
      #expect(try await server.get("/users/me/settings", token: token).json == set)

      let patched = try await self.set(
        server,
        #"{"theme":null,"accessibility":{"textScale":null},"captions":{"fill":null},"notifications":null}"#,
        token
      ).expect(200).json
      #expect(patched.theme.text == "system")
      #expect(patched.accessibility.textScale.double == 1)
      #expect(patched.accessibility.reducedMotion == .bool(true))
      #expect(patched.captions.fill == .null && patched.captions.font.text == "comic")
      #expect(patched.notifications.follows == .bool(true))
      #expect(patched.visibility.text == "friends")

      let put = try await self.set(server, #"{"theme":"light"}"#, token, method: "PUT")
      #expect(put.expect(200).json.captions == first.json.captions)
      #expect(put.json.theme.text == "light" && put.json.visibility.text == "public")
    }
  }

  @Test func `every invalid setting is named at once, and none is applied`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let before = try await server.get("/users/me/settings", token: token).json
      try await set(
        server,
        """
        {"theme":"pink","accessibility":{"textScale":9,"reducedMotion":"yes","zoom":1},
        "captions":{"font":"none","fill":"red","size":0.9,"top":"x"},"visibility":"nobody",
        "notifications":[],"x":1}
        """, token
      ).expect(
        422, problem: "invalid-input",
        fields: [
          "theme not-allowed", "accessibility.textScale out-of-range",
          "accessibility.reducedMotion not-a-flag", "accessibility.zoom unknown-field",
          "captions.font unknown-font", "captions.fill invalid-colour",
          "captions.size out-of-range", "captions.top unknown-field", "visibility not-allowed",
          "notifications not-an-object", "x unknown-field",
        ])
      try await set(server, "[]", token).expect(400, problem: "malformed-request")
      #expect(try await server.get("/users/me/settings", token: token).json == before)
    }
  }

  @Test func `settings honor If-Match, and each change is one version`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      func tag(_ answer: Answer) throws -> String { try #require(answer["etag"]) }
      let zero = try tag(try await server.get("/users/me/settings", token: token).expect(200))
      #expect(zero.hasPrefix("\"0."))
      let one = try tag(
        try await set(server, #"{"theme":"dark"}"#, token, headers: [("If-Match", zero)])
          .expect(200))
      #expect(one.hasPrefix("\"1."))
      let refused = try await set(
        server, #"{"theme":"light"}"#, token, headers: [("If-Match", zero)]
      ).expect(412, problem: "precondition-failed")
      #expect(refused.json.detail.text?.contains("meme") == false)
      try await set(server, #"{"theme":"light"}"#, token, headers: [("If-Match", "theme")])
        .expect(400)
      // The edit changes nothing, so the version stays.
      #expect(try tag(try await set(server, #"{"theme":"dark"}"#, token).expect(200)) == one)
      try await set(
        server, #"{"theme":"light"}"#, token, method: "PUT", headers: [("If-Match", "\"1\"")]
      ).expect(200)
      try await server.send(
        "GET", "/users/me/settings",
        headers: [("Authorization", "Bearer \(token)"), ("If-None-Match", one)]
      ).expect(200)
      // Concurrent changes of different fields are all applied.
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for name in ["likes", "comments", "follows"] {
          group.addTask { try await set(server, #"{"notifications":{"\#(name)":false}}"#, token) }
        }
        for try await answer in group { answer.expect(200) }
      }
      let now = try await server.get("/users/me/settings", token: token).expect(200).json
      #expect(now.notifications.likes == .bool(false) && now.notifications.follows == .bool(false))
    }
  }

  @Test func `settings are private and deleted with the account`() async throws {
    try await withDataFolder { folder in
      try await withServer(in: folder) { server in
        let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
        try await set(server, #"{"theme":"dark"}"#, ada).expect(200)
        #expect(
          try await server.get("/users/me/settings", token: bob).json.theme.text == "system")
        try await server.get("/users/me/settings").expect(401, problem: "unauthorized")
        try await server.json(
          "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: ada
        ).expect(204)
        let again = try await server.signUp("ada")
        #expect(
          try await server.get("/users/me/settings", token: again).json.theme.text == "system")
        try await set(server, #"{"theme":"light"}"#, again).expect(200)
      }
      #expect(try await number(in: folder, "SELECT count(*) FROM settings") == 1)
    }
  }

  @Test func `omitted form fields default to the person's settings`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      try await set(
        server,
        ##"{"captions":{"font":"comic","fill":"#ffcc00","size":0.2,"case":"typed","layout":"bar"}}"##,
        token
      ).expect(200)
      let photo = try Fixture.photo.bytes
      func post(_ fields: [(String, String)], token: String?) async throws -> JSON {
        try await server.post(
          [.file("image", photo)] + fields.map { .field($0.0, $0.1) }, token: token
        ).expect(201).json
      }
      let mine = try await post([("top", "Hello"), ("size", "0.1")], token: token)
      #expect(mine.style.font.text == "comic" && mine.style.fill.text == "#ffcc00")
      #expect(mine.style["case"].text == "typed" && mine.style.layout.text == "bar")
      #expect(mine.style.size.double == 0.1 && mine.style.align.text == "left")
      // Captions in boxes have no bars.
      let boxes = try await post(
        [("captions", #"[{"text":"a","x":0,"y":0,"width":0.5,"height":0.2}]"#)], token: token)
      #expect(boxes.style.layout.text == "overlay" && boxes.style.font.text == "comic")
      for somebody in [nil, server.adminToken] {
        let other = try await post([("top", "Hello")], token: somebody)
        #expect(other.style.font.text == "impact" && other.style.layout.text == "overlay")
      }

      func preview(_ token: String?) async throws -> [UInt8] {
        try await server.post(
          to: "/memes/preview", [.file("image", photo), .field("top", "Hello")], token: token
        ).expect(200).response.body
      }
      let (own, plain) = (try await preview(token), try await preview(nil))
      func height(_ picture: [UInt8]) throws -> Int {
        try PictureHeader(of: Bytes(picture), maximumPixels: 1 << 24).height
      }
      // The bars add height.
      #expect(try height(own) > height(plain))

      // An edit starts from the meme's recipe, whatever the settings have become.
      let meme = try await server.post(
        [.file("image", photo), .field("top", "Hello")], token: token
      ).expect(201)
      try await set(server, "{}", token, method: "PUT").expect(200)
      let edited = try await server.patch(
        try #require(meme["location"]), #"{"bottom":"you"}"#, token: token
      ).expect(200).json
      #expect(edited.style == meme.json.style && edited.style.font.text == "comic")
    }
  }
}
