import Support
import Testing

struct AccountTests {
  @Test func `a profile edit keeps the fields that it omits`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      func edit(_ json: String) async throws -> Answer {
        try await server.json("PATCH", "/users/me", json, token: token)
      }
      try await edit(#"{"displayName":"Ada","bio":"عاشقة القطط"}"#).expect(200)
      let edited = try await edit(#"{"displayName":null}"#).expect(200).json
      #expect(edited.displayName == .null)
      #expect(edited.bio.text == "عاشقة القطط")
      #expect(try await server.get("/users/me", token: token).json == edited)
      #expect(try await server.get("/users/ada").json.bio == edited.bio)
      try await edit(
        #"{"displayName":"a\u202Eb","bio":"","email":null,"username":null,"passwordChangedAt":1}"#
      ).expect(
        422, problem: "invalid-input",
        fields: [
          "displayName not-allowed", "bio empty", "email missing", "username missing",
          "passwordChangedAt unknown-field",
        ])
      #expect(try await server.get("/users/me", token: token).json == edited)
    }
  }

  @Test func `an email change requires the password and an unused address`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      try await server.register("bob").expect(201)
      func edit(_ email: String, _ password: String?) async throws -> Answer {
        let proof = password.map { #","password":"\#($0)""# } ?? ""
        return try await server.json(
          "PATCH", "/users/me", #"{"email":"\#(email)","bio":"x"\#(proof)}"#, token: token)
      }
      try await edit("new@example.org", nil)
        .expect(422, problem: "invalid-input", fields: ["password missing"])
      try await edit("new@example.org", "a wrong password")
        .expect(422, problem: "invalid-input", fields: ["password wrong-password"])
      try await edit("BOB@example.org", TestServer.password).expect(409, problem: "email-taken")
      // The failed edits changed nothing.
      #expect(try await server.get("/users/me", token: token).json.bio == .null)
      try await edit("ada@example.org", nil).expect(200)
      try await edit("new@example.org", TestServer.password).expect(200)
      try await server.signIn("new@example.org").expect(201)
      try await server.signIn("ada@example.org").expect(401, problem: "wrong-credentials")
    }
  }

  @Test func `a password change ends the other sessions`() async throws {
    try await withServer { server in
      let (here, new) = (try await server.signUp("ada"), "a dog on a laptop")
      let elsewhere = try await server.token("ada")
      func change(_ current: String, _ new: String) async throws -> Answer {
        try await server.json(
          "PUT", "/users/me/password", #"{"current":"\#(current)","new":"\#(new)"}"#, token: here)
      }
      try await change("a wrong password", new)
        .expect(422, problem: "invalid-input", fields: ["current wrong-password"])
      try await change(TestServer.password, "password1")
        .expect(422, problem: "invalid-input", fields: ["new common"])
      try await change(TestServer.password, "ADA@example.org")
        .expect(422, problem: "invalid-input", fields: ["new same-as-name"])
      try await server.get("/users/me", token: elsewhere).expect(200)

      try await change(TestServer.password, new).expect(204)
      try await server.get("/users/me", token: elsewhere).expect(401, problem: "unauthorized")
      try await server.get("/users/me", token: here).expect(200)
      try await server.signIn("ada").expect(401, problem: "wrong-credentials")
      try await server.signIn("ada", password: new).expect(201)
    }
  }

  @Test func `deleting an account removes it and frees its name`() async throws {
    try await withServer { server in
      let (token, elsewhere) = (try await server.signUp("ada"), try await server.token("ada"))
      try await server.json("DELETE", "/users/me", "{}", token: token)
        .expect(422, problem: "invalid-input", fields: ["password missing"])
      try await server.json(
        "DELETE", "/users/me", #"{"password":"a wrong password"}"#, token: token
      ).expect(422, problem: "invalid-input", fields: ["password wrong-password"])
      let proof = #"{"password":"\#(TestServer.password)"}"#
      try await server.json("DELETE", "/users/me", proof, token: token).expect(204)
      for token in [token, elsewhere] {
        try await server.get("/users/me", token: token).expect(401, problem: "unauthorized")
      }
      try await server.get("/users/ada").expect(404, problem: "not-found")
      try await server.signIn("ada").expect(401, problem: "wrong-credentials")
      try await server.register("ada", password: "another password").expect(201)
      try await server.get("/users/me", token: elsewhere).expect(401, problem: "unauthorized")
    }
  }

  @Test func `a hash with old parameters is renewed at sign-in`() async throws {
    // The hash of "a password of before", with 8 MiB and one pass.
    let old =
      "$argon2id$v=19$m=8192,t=1,p=1$wOv1ssOyezM+UqKV2obnRQ$6oTnqaAFEfj1LF8Hbs3iB5dOykbWHNE0DUOQ9avJZDA"
    try await withDataFolder { folder in
      try await withServer(in: folder) { server in
        try await server.register("ada").expect(201)
      }
      try await editDatabase(in: folder, "UPDATE users SET password = '\(old)'")
      try await withServer(in: folder) { server in
        try await server.signIn("ada", password: "a wrong password").expect(401)
        // Each sign-in would renew the hash; only one does.
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
          for _ in 0..<4 {
            group.addTask { try await server.signIn("ada", password: "a password of before") }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        for answer in answers { answer.expect(201) }
      }
      try await withServer(in: folder) { server in
        try await server.signIn("ada", password: "a password of before").expect(201)
      }
      let stored = try storedText(in: folder)
      #expect(!stored.contains(old))
      #expect(stored.contains("$argon2id$v=19$m=19456,t=2,p=1$"))
    }
  }
}
