import Bytes
import Foundation
import Memes
import Support
import Synchronization
import Testing
import Wire
import mememe

struct PasswordResetTests {
  private static let new = "a dog on a laptop"

  private func ask(_ server: TestServer, _ email: String) async throws -> Answer {
    try await server.json("POST", "/password-resets", #"{"email":"\#(email)"}"#)
  }

  private func reset(
    _ server: TestServer, _ token: String, to password: String = new
  ) async throws -> Answer {
    try await server.json("PUT", "/password-resets/\(token)", #"{"password":"\#(password)"}"#)
  }

  @Test func `a reset link sets a new password and ends sessions and other links`() async throws {
    try await withServer { server in
      let session = try await server.signUp("ada")
      let first = try await server.resetToken(for: "ADA@example.org", mails: 1)
      let second = try await server.resetToken(for: "ada@example.org", mails: 2)
      #expect(first.count == 43 && first != second)
      let mail = try #require(try await server.mails(2).last)
      #expect(mail.contains("\nTo: ada@example.org\n"))
      #expect(mail.contains("http://127.0.0.1:\(server.port)/reset-password#\(second)\n"))
      // Requesting a reset ends no session.
      try await server.get("/users/me", token: session).expect(200)
      try await server.signIn("ada").expect(201)

      try await reset(server, second).expect(204)
      try await server.get("/users/me", token: session).expect(401)
      try await server.signIn("ada").expect(401, problem: "wrong-credentials")
      try await server.signIn("ada", password: Self.new).expect(201)
      for token in [first, second] {
        try await reset(server, token, to: "another password").expect(404, problem: "invalid-reset")
      }
      try await server.signIn("ada", password: Self.new).expect(201)
      // Without a mail server, the folder gets no notices.
      _ = try await server.resetToken(for: "ada@example.org", mails: 3)
    }
  }

  @Test func `an unknown email gets the same response and no mail`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      let known = try await ask(server, "ada@example.org").expect(202).response
      let unknown = try await ask(server, "nobody@example.org").expect(202).response
      func told(_ answer: [(name: String, value: String)]) -> [String] {
        answer.filter { !["x-request-id", "date"].contains($0.name.lowercased()) }
          .map { "\($0.name): \($0.value)" }
      }
      #expect(told(known.headers) == told(unknown.headers))
      #expect(known.body.isEmpty && unknown.body.isEmpty)
      // Mails are sent in order, so a later mail shows that earlier ones were handled.
      _ = try await server.resetToken(for: "ada@example.org", mails: 2)
      let mails = try await server.mails(2)
      #expect(mails.count == 2)
      #expect(mails.allSatisfy { $0.contains("\nTo: ada@example.org\n") })
    }
  }

  @Test func `a reset link expires after half an hour or when the email changes`() async throws {
    let clock = Clock()
    try await withServer(now: { clock.now }) { server in
      let session = try await server.signUp("ada")
      let late = try await server.resetToken(for: "ada@example.org", mails: 1)
      clock.advance(minutes: 29)
      let inTime = try await server.resetToken(for: "ada@example.org", mails: 2)
      clock.advance(minutes: 1)
      try await reset(server, late).expect(404, problem: "invalid-reset")
      // With only the session, repeating the current email must not invalidate a link.
      try await server.json("PATCH", "/users/me", #"{"email":"ada@example.org"}"#, token: session)
        .expect(200)
      try await reset(server, inTime, to: "ada@example.org").expect(422)
      try await server.json(
        "PATCH", "/users/me",
        #"{"email":"new@example.org","password":"\#(TestServer.password)"}"#, token: session
      ).expect(200)
      try await reset(server, inTime).expect(404, problem: "invalid-reset")

      let other = try await server.resetToken(for: "new@example.org", mails: 3)
      try await server.json(
        "PUT", "/users/me/password",
        #"{"current":"\#(TestServer.password)","new":"\#(Self.new)"}"#, token: session
      ).expect(204)
      try await reset(server, other).expect(404, problem: "invalid-reset")

      let last = try await server.resetToken(for: "new@example.org", mails: 4)
      try await server.json(
        "DELETE", "/users/me", #"{"password":"\#(Self.new)"}"#, token: session
      ).expect(204)
      try await reset(server, last).expect(404, problem: "invalid-reset")
    }
  }

  @Test func `an account has at most three valid reset links`() async throws {
    let clock = Clock()
    try await withServer(now: { clock.now }) { server in
      try await server.register("ada").expect(201)
      try await server.register("bob").expect(201)
      let first = try await server.resetToken(for: "ada@example.org", mails: 1)
      for _ in 0..<5 { try await ask(server, "ada@example.org").expect(202) }
      _ = try await server.resetToken(for: "bob@example.org", mails: 4)
      let mails = try await server.mails(4)
      #expect(mails.filter { $0.contains("\nTo: ada@example.org\n") }.count == 3)
      clock.advance(minutes: 31)
      _ = try await server.resetToken(for: "ada@example.org", mails: 5)
      #expect(try await server.mails(5).last?.contains("\nTo: ada@example.org\n") == true)
      try await reset(server, first).expect(404, problem: "invalid-reset")
    }
  }

  @Test func `a reset lifts the limit on password guesses`() async throws {
    try await withServer({ $0.limitsRates = true }) { server in
      try await server.register("ada").expect(201)
      for login in ["ada", "ada@example.org"] {
        for _ in 0..<10 {
          try await server.signIn(login, password: "a wrong password").expect(401)
        }
        try await server.signIn(login).expect(429, problem: "too-many-requests")
      }
      let token = try await server.resetToken(for: "ada@example.org", mails: 1)
      try await reset(server, token).expect(204)
      try await server.signIn("ada", password: Self.new).expect(201)
      try await server.signIn("ada@example.org", password: Self.new).expect(201)
    }
  }

  @Test func `a rejected new password keeps the link valid`() async throws {
    try await withServer { server in
      try await server.register("ada").expect(201)
      let token = try await server.resetToken(for: "ada@example.org", mails: 1)
      try await reset(server, token, to: "short")
        .expect(422, problem: "invalid-input", fields: ["password too-short"])
      try await reset(server, token, to: "password1")
        .expect(422, problem: "invalid-input", fields: ["password common"])
      try await reset(server, token, to: "Ada@example.org")
        .expect(422, problem: "invalid-input", fields: ["password same-as-name"])
      try await server.json("PUT", "/password-resets/\(token)", #"{"new":"x"}"#).expect(
        422, problem: "invalid-input", fields: ["new unknown-field", "password missing"])
      try await reset(server, token).expect(204)
    }
  }

  @Test(arguments: [
    ("{}", ["email missing"]), (#"{"email":null}"#, ["email missing"]),
    (#"{"email":"ada","x":1}"#, ["email invalid-email", "x unknown-field"]),
    (#"{"email":["ada@example.org"]}"#, ["email not-a-text"]),
  ])
  func `invalid emails are named`(_ body: String, _ fields: [String]) async throws {
    try await withServer { server in
      try await server.json("POST", "/password-resets", body)
        .expect(422, problem: "invalid-input", fields: fields)
      try await server.json("POST", "/password-resets", "[]").expect(
        400, problem: "malformed-request")
    }
  }

  @Test func `a reset token is only in the mail, never in a log or the data folder`() async throws {
    try await withDataFolder { folder in
      var tokens: [String] = []
      try await withServer(in: folder) { server in
        try await server.register("ada").expect(201)
        tokens.append(try await server.resetToken(for: "ada@example.org", mails: 1))
        tokens.append(try await server.resetToken(for: "ada@example.org", mails: 2))
        let open = try #require(tokens.last)
        let places = [
          "/password-resets/\(open)/", "/password-resets/\(open)/x", "/Password-Resets/\(open)",
          "/password%2Dresets/\(open)", "//password-resets/\(open)", "/api/password-resets/\(open)",
          "/password-resets%2F\(open)", "/password-resets;\(open)", "/password-resets%zz\(open)",
          "/password-resets/?token=\(open)", "/reset-password?\(open)", "/reset-password#\(open)",
          "http://127.0.0.1/password-resets/\(open)",
        ]
        for place in places {
          for method in ["GET", "PUT", "OPTIONS"] {
            let answer = try await server.send(
              method, place, headers: [("Idempotency-Key", open)])
            #expect(!answer.response.text.contains(open))
          }
        }
        try await reset(server, open, to: "short").expect(422, lacking: [open])
        try await reset(server, open).expect(204)
        try await reset(server, open).expect(404, lacking: [open])
      }
      let stored = try storedText(in: folder)
      #expect(stored.contains("target=/password-resets/* "))
      for token in tokens { #expect(!stored.contains(token)) }
    }
  }

  @Test func `a failed mail is logged, does not count and does not change the response`()
    async throws
  {
    let settings = try Settings(
      environment: [
        "MEMEME_SMTP_URL": "smtp://127.0.0.1:1", "MEMEME_MAIL_FROM": "me@example.org",
      ], flags: [])
    try await withDataFolder { folder in
      try await withServer(
        in: folder, { ($0.mailServer, $0.mailSender) = (settings.mailServer, settings.mailSender) }
      ) { server in
        try await server.register("ada").expect(201)
        // The first mail is the one that confirms the email.
        for _ in 0..<4 { try await ask(server, "ada@example.org").expect(202) }
      }
      // The server has stopped, so all of its background tasks are done.
      let log = try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
      #expect(log.split(separator: "\n").filter { $0.contains("cannot send mail") }.count == 5)
      #expect(!log.contains("MailError"))
      #expect(!log.contains("ada@example.org"))
      try await withServer(in: folder) { server in
        _ = try await server.resetToken(for: "ada@example.org", mails: 1)
        #expect(try await server.mails(1).count == 1)
      }
    }
  }

  @Test func `reset mails go to the mail server`() async throws {
    let mail = try MailServer()
    let settings = try Settings(
      environment: [
        "MEMEME_SMTP_URL": "smtp://127.0.0.1:\(mail.port)", "MEMEME_MAIL_FROM": "me@example.org",
        "MEMEME_PUBLIC_URL": "https://memes.example/part",
      ], flags: [])
    try await withServer({
      ($0.mailServer, $0.mailSender) = (settings.mailServer, settings.mailSender)
      $0.publicURL = settings.publicURL
    }) { server in
      try await server.register("ada").expect(201)
      let greeting = try await blocking { try mail.received() }
      #expect(greeting.headers["Subject"] == "Confirm your email for MemeMe")
      try await server.json(
        "POST", "/password-resets", #"{"email":"ada@example.org"}"#,
        headers: [("X-Forwarded-Host", "evil.example")]
      ).expect(202)
      let received = try await blocking { try mail.received() }
      #expect(received.to == ["ada@example.org"] && received.from == "me@example.org")
      #expect(received.defects.isEmpty && received.isASCII)
      let text = String(decoding: try #require(received.parts.first).bytes, as: UTF8.self)
      let link = try #require(
        text.firstMatch(of: /https:\/\/memes\.example\/part\/reset-password#(\S+)/))
      try await reset(server, String(link.1)).expect(204)
      let told = try await blocking { try mail.received() }
      #expect(told.headers["Subject"] == "Your password was changed")
    }
  }

  @Test func `the link of a mail that the mail server did not confirm is valid`() async throws {
    let mail = try MailServer("--hang-up")
    try await withServer({ try $0.sendMail(through: mail) }) { server in
      try await server.register("ada").expect(201)
      _ = try await blocking { try mail.received() }
      try await ask(server, "ada@example.org").expect(202)
      let received = try await blocking { try mail.received() }
      let text = String(decoding: try #require(received.parts.first).bytes, as: UTF8.self)
      let link = try #require(text.firstMatch(of: /reset-password#(\S+)/))
      // The server sends the next mail after it has handled the failure of this one.
      try await ask(server, "ada@example.org").expect(202)
      _ = try await blocking { try mail.received() }
      try await reset(server, String(link.1)).expect(204)
    }
  }

  /// A clock that tests advance. No two readings are equal, so mails have an order.
  private final class Clock: Sendable {
    private let time = Mutex(Timestamp.now().millisecondsSince1970)

    var now: Timestamp {
      Timestamp(
        millisecondsSince1970: time.withLock { time in
          time += 1
          return time
        })
    }
    func advance(minutes: Int64) { time.withLock { $0 += minutes * 60_000 } }
  }
}
