import Bytes
import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

/// The mails about what happened to an account.
struct AccountNoticeTests {
  private func notice(_ mail: MailServer, _ subject: String, to address: String = "ada@example.org")
    async throws -> String
  {
    let received = try await blocking { try mail.received() }
    #expect(received.to == [address])
    #expect(received.headers["Subject"] == subject)
    return String(decoding: try #require(received.parts.first).bytes, as: UTF8.self)
  }

  /// Calls `body` with a server that sends its mail through `mail`, and the user ada, who has confirmed no email.
  private func withAda(
    _ mail: MailServer, at clock: HeldClock, _ body: (TestServer) async throws -> Void
  ) async throws {
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now, { try $0.sendMail(through: mail) }) { server in
      try await server.register("ada").expect(201)
      _ = try await notice(mail, "Confirm your email for MemeMe")
      try await body(server)
    }
  }

  @Test func `users get a mail about what happens to their accounts`() async throws {
    let (mail, clock) = (try MailServer(), HeldClock())
    try await withAda(mail, at: clock) { server in
      // A new account, and then a known device.
      for agent in ["phone", "phone"] {
        try await server.signIn("ada", headers: [("User-Agent", agent)]).expect(201)
        clock.set(1_800_000_000_000 + 60 * 60_000)
      }
      try await server.signIn("ada", password: "wrong", headers: [("User-Agent", "tablet")])
        .expect(401)
      let lured = "https://evil.example"
      let token = try #require(
        try await server.signIn("ada", headers: [("User-Agent", lured)]).expect(201).json.token
          .text)
      let told = try await notice(mail, "Sign-in on a new device")
      #expect(told.contains("account ada on https://memes.example"))
      #expect(told.contains("2027-01-15T09:00:00.000Z"))
      #expect(told.contains("https://memes.example/app/settings/password"))
      #expect(!told.contains("evil"))
      try await server.signIn("ada", headers: [("User-Agent", lured)]).expect(201)

      try await server.json(
        "POST", "/users/me/tokens", #"{"name":"\#(lured)","scopes":["read"]}"#, token: token
      ).expect(201)
      #expect(!(try await notice(mail, "New access token").contains("evil")))

      try await server.json(
        "PATCH", "/users/me",
        #"{"email":"new@example.org","password":"\#(TestServer.password)"}"#, token: token
      ).expect(200)
      #expect(!(try await notice(mail, "Your email was changed").contains("new@example.org")))
      _ = try await notice(mail, "Confirm your email for MemeMe", to: "new@example.org")
      try await server.json(
        "PUT", "/users/me/password",
        #"{"current":"\#(TestServer.password)","new":"a dog on a piano"}"#, token: token
      ).expect(204)
      _ = try await notice(mail, "Your password was changed", to: "new@example.org")
    }
  }

  @Test func `requested links cannot suppress a notice`() async throws {
    let mail = try MailServer()
    try await withServer({
      try $0.sendMail(through: mail)
      $0.limitsRates = true
    }) { server in
      let ada = try await server.signUp("ada")
      for _ in 0..<Limit.confirmation.rate.burst {
        try await server.json("POST", "/users/me/email-confirmation", "", token: ada).expect(202)
      }
      try await server.json(
        "PUT", "/users/me/password",
        #"{"current":"\#(TestServer.password)","new":"a dog on a piano"}"#, token: ada
      ).expect(204)
      // The mailbox gets as many links as the limit permits, the first one for the new account.
      for _ in 0..<Limit.confirmation.rate.burst {
        _ = try await notice(mail, "Confirm your email for MemeMe")
      }
      _ = try await notice(mail, "Your password was changed")
    }
  }

  @Test func `users get a mail about changes of their second factor`() async throws {
    let (mail, clock) = (try MailServer(), HeldClock())
    try await withAda(mail, at: clock) { server in
      let ada = try await server.token("ada")
      let (_, codes) = try await server.turnOnSecondFactor(token: ada, at: clock.now())
      _ = try await notice(mail, "Second factor turned on")
      func fields(_ code: String?) throws -> String {
        #"{"code":"\#(try #require(code))","password":"\#(TestServer.password)"}"#
      }
      let renewed = try await server.json(
        "POST", "/users/me/totp/recovery-codes", try fields(codes.first), token: ada
      ).expect(201).json.recoveryCodes.elements.first?.text
      _ = try await notice(mail, "New recovery codes")
      try await server.json("DELETE", "/users/me/totp", try fields(renewed), token: ada)
        .expect(204)
      _ = try await notice(mail, "Second factor turned off")
    }
  }
}
