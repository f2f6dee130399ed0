import Support
import Testing
import Wire
import mememe

struct RegistrationTests {
  @Test func `a registered person signs in by username or email in any case`() async throws {
    try await withServer { server in
      let answer = try await server.json(
        "POST", "/users",
        #"{"username":"Ada_1","email":"Ada@Example.org","password":"a cat on a keyboard","displayName":"Ada 🐈"}"#
      ).expect(201)
      #expect(answer["location"] == "/users/ada_1")
      #expect(answer["cache-control"] == "no-store")
      #expect(answer.json.username.text == "ada_1")
      #expect(answer.json.email.text == "Ada@Example.org")
      for name in ["ada_1", "ADA_1", "ada@example.org", "ADA@EXAMPLE.ORG"] {
        let signedIn = try await server.signIn(name).expect(201)
        #expect(signedIn.json.user == answer.json)
      }
      let profile = try await server.get("/users/ADA_1").expect(200, lacking: ["xample"])
      #expect(profile.json.displayName.text == "Ada 🐈")
      try await server.get("/users/nobody").expect(404, problem: "not-found")
      try await server.get("/users/no%20name").expect(404, problem: "not-found")
    }
  }

  @Test func `usernames and emails are unique, ignoring case`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      try await server.register("ADA").expect(409, problem: "username-taken")
      try await server.json(
        "POST", "/users",
        #"{"username":"other","email":"ADA@example.ORG","password":"a cat on a keyboard"}"#
      ).expect(409, problem: "email-taken")
      try await server.get("/users/other").expect(404)
    }
  }

  @Test func `one of many concurrent registrations of a name wins`() async throws {
    try await withServer { server in
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for index in 0..<8 {
          group.addTask {
            try await server.json(
              "POST", "/users",
              #"{"username":"ada","email":"\#(index)@example.org","password":"a cat on a keyboard"}"#
            )
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.filter { $0.status == 201 }.count == 1)
      for answer in answers where answer.status != 201 {
        answer.expect(409, problem: "username-taken")
      }
    }
  }

  @Test func `every invalid registration field is named at once`() async throws {
    try await withServer { server in
      try await server.json("POST", "/users", "{}").expect(
        422, problem: "invalid-input",
        fields: ["username missing", "email missing", "password missing"])
      try await server.json(
        "POST", "/users",
        #"{"username":"a b","email":"nobody","password":"short","displayName":" ","role":"admin"}"#
      ).expect(
        422, problem: "invalid-input",
        fields: [
          "username invalid-username", "email invalid-email", "password too-short",
          "displayName empty", "role unknown-field",
        ])
      try await server.json(
        "POST", "/users", #"{"username":1,"email":null,"password":["x"],"displayName":true}"#
      ).expect(
        422, problem: "invalid-input",
        fields: [
          "username not-a-text", "email missing", "password not-a-text", "displayName not-a-text",
        ])
      for body in ["", "[]", "{", #"{"username":"a","username":"b"}"#, "\u{0}"] {
        try await server.json("POST", "/users", body).expect(400, problem: "malformed-request")
      }
      try await server.send("POST", "/users", headers: [("Content-Type", "text/plain")], body: [])
        .expect(415, problem: "unsupported-media-type")
      let long = String(repeating: "x", count: 70_000)
      try await server.json("POST", "/users", #"{"username":"\#(long)"}"#).expect(413)
    }
  }

  @Test(
    arguments: [
      ("password1", "common"), ("PassWord1", "common"), ("1qaz2wsx", "common"),
      ("ada_lovelace", "same-as-name"), ("Ada@Example.org", "same-as-name"),
      ("sieben7", "too-short"), ("nul\\u0000in the middle", "nul"),
      (String(repeating: "x", count: 257), "too-long"),
      (String(repeating: "🐈", count: 257), "too-long"),
    ])
  func `weak and invalid passwords are rejected`(_ password: String, _ code: String)
    async throws
  {
    try await withServer { server in
      try await server.json(
        "POST", "/users",
        #"{"username":"ada_lovelace","email":"ada@example.org","password":"\#(password)"}"#
      ).expect(422, problem: "invalid-input", fields: ["password \(code)"])
    }
  }

  @Test func `a password can have any characters and is normalized`() async throws {
    try await withServer { server in
      for (index, password) in ["        ", "пароль пароль", String(repeating: "🐈", count: 256)]
        .enumerated()
      {
        try await server.register("user\(index)", password: password).expect(201)
        try await server.signIn("user\(index)", password: password).expect(201)
      }
      // A precomposed é, and an e with a combining accent.
      try await server.register("zoe", password: "caf\u{E9} au lait").expect(201)
      try await server.signIn("zoe", password: "cafe\u{301} au lait").expect(201)
    }
  }

  @Test(arguments: ["admin", "ROOT", "current", "me", "ab", String(repeating: "a", count: 31)])
  func `reserved and invalid usernames are rejected`(_ name: String) async throws {
    try await withServer { server in
      try await server.register(name).expect(422, problem: "invalid-input")
    }
  }

  @Test func `a repeated registration with its key is replayed`() async throws {
    try await withServer { server in
      let key = [("Idempotency-Key", "k")]
      let first = try await server.register("ada", headers: key).expect(201)
      #expect(first["idempotent-replayed"] == nil)
      let again = try await server.register("ada", headers: key).expect(201)
      #expect(again["idempotent-replayed"] == "true")
      #expect(again.response.body == first.response.body)
      #expect(again["location"] == first["location"])
      try await server.register("ada", password: "another password", headers: key)
        .expect(422, problem: "idempotency-key-reused")
      // The key applies across operations.
      try await server.upload(headers: key).expect(422, problem: "idempotency-key-reused")
      let token = try await server.token("ada")
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(TestServer.password)"}"#, token: token
      ).expect(204)
      try await server.register("ada", headers: key).expect(410, problem: "gone")
    }
  }

  @Test func `without anonymous access, registering and signing in still work`() async throws {
    try await withServer({ $0.anonymous = false }) { server in
      try await server.get("/memes").expect(401, problem: "unauthorized")
      let token = try await server.signUp("ada")
      try await server.get("/memes", token: token).expect(200)
      try await server.get("/users/ada").expect(401)
      try await server.get("/users/ada", token: token).expect(200)

      // Public caching would give members-only content to everyone.
      let meme = try await server.make(token: token)
      let image = try #require(
        try await server.get(meme, token: token).expect(200).json.image.url.text)
      let kept = try await server.get(image, token: token).expect(200)
      #expect(kept["cache-control"] == "private, max-age=31536000, immutable")
      let drawn = try await server.get("/users/ada/avatar", token: token).expect(200)
      #expect(drawn["cache-control"] == "private, max-age=3600")
    }
  }
}
