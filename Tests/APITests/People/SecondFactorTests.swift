import Foundation
import HTTP
import Memes
import Support
import Synchronization
import Testing
import Wire
import mememe

struct SecondFactorTests {
  private static let minute: Int64 = 60_000
  private static let password = #""password":"\#(TestServer.password)""#

  private static func put(
    _ server: TestServer, _ code: String, token: String?
  ) async throws -> Answer {
    try await server.json(
      "PUT", "/users/me/totp", #"{"code":"\#(code)",\#(password)}"#, token: token)
  }

  @Test func `a second factor is on after a code, and its secrets are shown once`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      #expect(try await server.get("/users/me", token: ada).json.secondFactor == .null)
      try await Self.put(server, "123456", token: ada).expect(404)
      let begun = try await server.json(
        "POST", "/users/me/totp", "{}", token: ada, headers: [("Idempotency-Key", "k")]
      ).expect(201)
      #expect(begun["cache-control"] == "no-store" && begun["etag"] == nil)
      let secret = try #require(begun.json.secret.text)
      #expect(secret.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
      let host = "127.0.0.1%3A\(server.port)"
      #expect(
        begun.json.otpauthUrl.text
          == "otpauth://totp/MemeMe:ada%40\(host)?secret=\(secret)&issuer=MemeMe&algorithm=SHA1&digits=6&period=30"
      )
      // The key has no effect, and the newer secret counts.
      let again = try await server.json(
        "POST", "/users/me/totp", "{}", token: ada, headers: [("Idempotency-Key", "k")]
      ).expect(201).json.secret.text
      #expect(again != secret)
      let app = TestApp(try #require(again))
      #expect(try await server.get("/users/me", token: ada).json.secondFactor == .null)
      try await server.signIn("ada").expect(201)

      try await Self.put(server, try TestApp(secret).code(at: clock.now()), token: ada)
        .expect(422, fields: ["code wrong-code"])
      let on = try await Self.put(server, try app.code(at: clock.now()), token: ada).expect(200)
      #expect(on["cache-control"] == "no-store")
      let codes = on.json.recoveryCodes.elements.compactMap(\.text)
      #expect(Set(codes).count == 10)
      #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z2-7]{4}(-[a-z2-7]{4}){3}/) != nil })
      let shown = try await server.get("/users/me", token: ada).json.secondFactor
      #expect(shown.recoveryCodes.int == 10 && shown.enabledAt.text == clock.now().description)
      try await server.json("POST", "/users/me/totp", "{}", token: ada)
        .expect(409, problem: "second-factor-on")
      try await Self.put(server, try app.code(at: clock.now()), token: ada)
        .expect(409, problem: "second-factor-on")
      for text in [secret, again, codes[0]] {
        #expect(try !server.log.contains(text ?? ""))
      }
    }
  }

  @Test func `a sign-in needs a code, which is good once`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let (app, codes) = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      let needed = try await server.signIn("ada", code: nil)
      needed.expect(401, problem: "code-required")
      #expect(needed["set-cookie"] == nil && needed["cache-control"] == "no-store")
      // The code of the same step turned the second factor on.
      try await server.signIn("ada", code: try app.code(at: clock.now()))
        .expect(401, problem: "invalid-code")
      clock.advance(Self.minute)
      let code = try app.code(at: clock.now())
      #expect(
        try await server.signIn("ada", code: code).expect(201).json.user.secondFactor.recoveryCodes
          .int
          == 10)
      try await server.signIn("ada", code: code).expect(401, problem: "invalid-code")
      // One step late, but an earlier step than the last one.
      clock.advance(Self.minute)
      let late = try app.code(at: clock.now())
      clock.advance(Self.minute / 2)
      try await server.signIn("ada", code: try app.code(at: clock.now())).expect(201)
      try await server.signIn("ada", code: late).expect(401, problem: "invalid-code")
      for text in ["", "12345", "x", codes[0] + "a"] {
        try await server.signIn("ada", code: text).expect(401, problem: "invalid-code")
      }

      let typed = codes[0].uppercased().replacing("-", with: " ")
      #expect(
        try await server.signIn("ada", code: typed).expect(201).json.user.secondFactor.recoveryCodes
          .int
          == 9)
      try await server.signIn("ada", code: codes[0]).expect(401, problem: "invalid-code")
      // Another account's codes, and an account without a second factor.
      let bob = try await server.signUp("bob")
      _ = try await server.turnOnSecondFactor(token: bob, at: clock.now())
      try await server.signIn("bob", code: codes[1]).expect(401, problem: "invalid-code")
      try await server.register("eve").expect(201)
      try await server.signIn("eve", code: "123456").expect(201)
    }
  }

  @Test func `a code and a recovery code are good for one of many requests at once`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let (app, codes) = try await server.turnOnSecondFactor(
        token: try await server.signUp("ada"), at: clock.now())
      clock.advance(Self.minute)
      for code in [try app.code(at: clock.now()), codes[3]] {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<6 {
            group.addTask { try await server.signIn("ada", code: code).status }
          }
          return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201, 401, 401, 401, 401, 401])
      }
    }
  }

  @Test func `without the password, nothing shows whether there is a second factor`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now, { $0.limitsRates = true }) { server in
      let (app, _) = try await server.turnOnSecondFactor(
        token: try await server.signUp("ada"), at: clock.now())
      try await server.register("bob").expect(201)
      clock.advance(Self.minute)
      func told(_ answer: Answer) -> [String] {
        let own = ["x-request-id", "date", "ratelimit"]
        return answer.response.headers.filter { !own.contains($0.name.lowercased()) }
          .map { "\($0.name): \($0.value)" }
          + ["\(answer.status)", answer.json.code.text ?? "", answer.json.detail.text ?? ""]
      }
      for code in [nil, try app.code(at: clock.now()), "000000"] {
        let answers = try await [
          server.signIn("ada", code: code, password: "a wrong password"),
          server.signIn("bob", code: code, password: "a wrong password"),
          server.signIn("nobody", code: code, password: "a wrong password"),
        ]
        answers[0].expect(401, problem: "wrong-credentials")
        #expect(told(answers[0]) == told(answers[1]) && told(answers[0]) == told(answers[2]))
      }
      // The code was not used up, and the wrong passwords are not wrong codes.
      try await server.signIn("ada", code: try app.code(at: clock.now())).expect(201)
    }
  }

  @Test func `of ten wrong codes, five are tried`() async throws {
    let clock = HeldClock()
    let start = ContinuousClock.now
    let ticks = Mutex(start)
    try await withServer(
      now: clock.now, ticks: { ticks.withLock { $0 } }, { $0.limitsRates = true }
    ) { server in
      let ada = try await server.signUp("ada")
      let (app, codes) = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      clock.advance(Self.minute)
      let wrong = try app.wrongCode(at: clock.now())
      for number in 0..<10 {
        let answer = try await server.signIn("ada", code: number == 2 ? codes[0] + "a" : wrong)
        if number < 6 {
          answer.expect(401, problem: "invalid-code")
        } else {
          answer.expect(429, problem: "too-many-requests")
          #expect(answer["ratelimit-policy"] == "\"wrong-code\";q=5;w=900")
          #expect(answer["retry-after"] == "180")
        }
      }
      // Neither a right code, nor a recovery code, nor another network or call helps.
      let right = try app.code(at: clock.now())
      try await server.signIn("ada", code: right).expect(429)
      try await server.signIn("ada", code: codes[0]).expect(429)
      try await server.json(
        "DELETE", "/users/me/totp", #"{"code":"\#(right)",\#(Self.password)}"#, token: ada
      ).expect(429)
      // A wrong password is answered as ever, and so is the missing code.
      try await server.signIn("ada", code: right, password: "a wrong password")
        .expect(401, problem: "wrong-credentials")
      try await server.signIn("ada", code: nil).expect(401, problem: "code-required")
      ticks.withLock { $0 = start + .seconds(180) }
      // Right codes do not count.
      try await server.signIn("ada", code: right).expect(201)
      try await server.signIn("ada", code: codes[0]).expect(201)
      try await server.signIn("ada", code: wrong).expect(401, problem: "invalid-code")
      try await server.signIn("ada", code: codes[1]).expect(429)
    }
  }

  @Test func `an access token and a linked app need a code`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      let (app, codes) = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      clock.advance(Self.minute)
      let wish = #""name":"x","scopes":["read"]"#
      for (path, fields) in [("/users/me/tokens", "\(wish),"), ("/auth/bot", "")] {
        for proof in ["", "\(Self.password),"] {
          try await server.json("POST", path, "{\(fields)\(proof)\"code\":null}", token: ada)
            .expect(422, fields: ["code missing"])
          try await server.json("POST", path, "{\(fields)\(proof)\"code\":\"x\"}", token: ada)
            .expect(422, fields: ["code wrong-code"])
        }
        // The password comes first.
        try await server.json(
          "POST", path, "{\(fields)\"password\":\"not my password\"}", token: ada
        ).expect(422, fields: ["password wrong-password"])
      }
      let code = try app.code(at: clock.now())
      try await server.json(
        "POST", "/users/me/tokens", "{\(wish),\"code\":\"\(code)\"}", token: ada
      )
      .expect(201)
      try await server.json("POST", "/auth/bot", "{\"code\":\"\(code)\"}", token: ada)
        .expect(422, fields: ["code wrong-code"])
      try await server.json("POST", "/auth/bot", "{\"code\":\"\(codes[0])\"}", token: ada)
        .expect(201)
      #expect(
        try await server.get("/users/me", token: ada).json.secondFactor.recoveryCodes.int == 9)
    }
  }

  @Test func `turning it off and new recovery codes need the password and a code`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      func send(
        _ method: String, _ path: String, _ json: String
      ) async throws -> Answer {
        try await server.json(method, "/users/me/totp\(path)", json, token: ada)
      }
      try await send("DELETE", "", "{\(Self.password)}").expect(404)
      try await send("POST", "/recovery-codes", "{\"code\":\"123456\",\(Self.password)}")
        .expect(404)
      // One that is not on yet needs no code.
      try await send("POST", "", "{}").expect(201)
      try await send("POST", "/recovery-codes", "{\"code\":\"123456\",\(Self.password)}")
        .expect(404)
      try await send("DELETE", "", "{\(Self.password)}").expect(204)

      let (app, codes) = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      clock.advance(Self.minute)
      let code = #""code":"\#(try app.code(at: clock.now()))""#
      for (method, path) in [("DELETE", ""), ("POST", "/recovery-codes")] {
        try await send(method, path, "{\(code)}").expect(422, fields: ["password missing"])
        try await send(method, path, "{\(code),\"password\":\"not my password\"}")
          .expect(422, fields: ["password wrong-password"])
        try await send(method, path, "{\"code\":\"1\",\(Self.password)}")
          .expect(422, fields: ["code wrong-code"])
        try await send(method, path, "{\(Self.password)}").expect(422, fields: ["code missing"])
        try await send(method, path, "{\(code),\(Self.password),\"more\":1}")
          .expect(422, fields: ["more unknown-field"])
      }
      let renewed = try await send("POST", "/recovery-codes", "{\(code),\(Self.password)}")
        .expect(201)
      #expect(renewed["cache-control"] == "no-store")
      let fresh = renewed.json.recoveryCodes.elements.compactMap(\.text)
      #expect(fresh.count == 10 && Set(fresh).isDisjoint(with: codes))
      try await server.signIn("ada", code: codes[0]).expect(401, problem: "invalid-code")
      try await send("DELETE", "", "{\"code\":\"\(fresh[0])\",\(Self.password)}").expect(204)
      #expect(try await server.get("/users/me", token: ada).json.secondFactor == .null)
      try await server.signIn("ada").expect(201)
      // A new one has a new secret and new codes.
      _ = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      try await server.signIn("ada", code: fresh[1]).expect(401, problem: "invalid-code")
    }
  }

  @Test func `a sign-in of ten minutes ago needs the password for a secret`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let ada = try await server.signUp("ada")
      clock.advance(10 * Self.minute)
      try await server.json("POST", "/users/me/totp", "{}", token: ada)
        .expect(422, fields: ["password missing"])
      try await server.json(
        "POST", "/users/me/totp", #"{"password":"not my password"}"#, token: ada
      ).expect(422, fields: ["password wrong-password"])
      try await server.json("POST", "/users/me/totp", "{\(Self.password)}", token: ada).expect(201)
    }
  }

  @Test func `a password reset keeps it, and admins see it`() async throws {
    let clock = HeldClock()
    try await withServer(now: clock.now) { server in
      let (app, _) = try await server.turnOnSecondFactor(
        token: try await server.signUp("ada"), at: clock.now())
      clock.advance(Self.minute)
      let reset = try await server.resetToken(for: "ada@example.org", mails: 1)
      let new = "no cat on a keyboard"
      try await server.json("PUT", "/password-resets/\(reset)", #"{"password":"\#(new)"}"#)
        .expect(204)
      try await server.signIn("ada", code: nil, password: new).expect(401, problem: "code-required")
      try await server.signIn("ada", code: try app.code(at: clock.now()), password: new).expect(201)
      let account = try await server.get("/admin/users/ada", token: server.adminToken).expect(200)
      #expect(account.json.secondFactor.recoveryCodes.int == 10)
      let listed = try await server.get("/admin/users", token: server.adminToken).expect(200)
      #expect(listed.json.items[0].secondFactor.recoveryCodes.int == 10)
      try await server.register("bob").expect(201)
      #expect(
        try await server.get("/admin/users/bob", token: server.adminToken).json.secondFactor
          == .null)
    }
  }

  @Test func `with another secret key, the error says so, and a recovery code helps`() async throws
  {
    try await withDataFolder { folder in
      var made: (app: TestApp, recoveryCodes: [String])?
      try await withServer(in: folder) { server in
        made = try await server.turnOnSecondFactor(
          token: try await server.signUp("ada"), at: .now())
      }
      let (app, codes) = try #require(made)
      try FileManager.default.removeItem(at: folder.appending(path: "secret-key"))
      try await withServer(in: folder) { server in
        for _ in 0..<Limit.wrongCode.rate.burst + 1 {
          try await server.signIn("ada", code: try app.code(at: .now()))
            .expect(500, problem: "second-factor-unreadable")
        }
        #expect(try server.log.contains("is encrypted under another secret key"))
        let token = try #require(
          try await server.signIn("ada", code: codes[0]).expect(201).json.token.text)
        try await server.json(
          "DELETE", "/users/me/totp", #"{"code":"\#(codes[1])",\#(Self.password)}"#, token: token
        ).expect(204)
        try await server.signIn("ada").expect(201)
      }
    }
  }
}
