import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

struct EmailConfirmationTests {
  private static let day: Int64 = 86_400_000
  private static let share = #"{"channel": "email", "to": "a@b.example"}"#

  /// Calls `body` with a server that sends its mail through `mail`, and a meme.
  private func withMailingServer(
    by mail: MailServer, at clock: HeldClock,
    _ body: (_ server: TestServer, _ meme: String) async throws -> Void
  ) async throws {
    clock.set(1_800_000_000_000)
    try await withServer(now: clock.now, { try $0.sendMail(through: mail) }) { server in
      try await body(server, try #require(try await server.upload(.moving).expect(201)["location"]))
    }
  }

  /// The token of the link in the next mail.
  private func token(in mail: MailServer, to address: String) async throws -> String {
    let received = try await blocking { try mail.received() }
    #expect(received.to == [address])
    #expect(received.headers["Subject"] == "Confirm your email for MemeMe")
    let text = String(decoding: try #require(received.parts.first).bytes, as: UTF8.self)
    let link = try #require(
      text.firstMatch(of: /https:\/\/memes\.example\/app\/confirm-email#(\S+)/))
    return String(link.1)
  }

  private func confirm(_ server: TestServer, _ token: String) async throws -> Answer {
    try await server.json("POST", "/email-confirmations", #"{"token":"\#(token)"}"#)
  }

  private func isConfirmed(_ server: TestServer, _ token: String) async throws -> Bool? {
    try await server.get("/users/me", token: token).expect(200).json.emailConfirmed.flag
  }

  @Test func `a link confirms the email once, and then the person may send memes by mail`()
    async throws
  {
    let (mail, clock) = (try MailServer(), HeldClock())
    try await withMailingServer(by: mail, at: clock) { server, meme in
      let ada = try await server.signUp("ada")
      let link = try await token(in: mail, to: "ada@example.org")
      #expect(try await isConfirmed(server, ada) == false)
      try await server.json("POST", "\(meme)/shares", Self.share, token: ada)
        .expect(403, problem: "email-unconfirmed")
      // Without an account of its own, the admin token has no email.
      try await server.json("POST", "\(meme)/shares", Self.share, token: server.adminToken)
        .expect(204)
      _ = try await blocking { try mail.received() }

      let answer = try await confirm(server, link).expect(204)
      #expect(answer.response.body.isEmpty)
      #expect(try await isConfirmed(server, ada) == true)
      try await confirm(server, link).expect(404, problem: "invalid-confirmation")
      try await server.json("POST", "\(meme)/shares", Self.share, token: ada).expect(204)
      #expect(try await blocking { try mail.received() }.to == ["a@b.example"])
      try await server.json("POST", "/users/me/email-confirmation", "", token: ada).expect(204)
      let admin = try await server.get("/admin/users/ada", token: server.adminToken)
      #expect(admin.expect(200).json.emailConfirmed.flag == true)
      #expect(!(try server.log.contains(link)))
    }
  }

  @Test func `a link is for one email of one account, for three days`() async throws {
    let (mail, clock) = (try MailServer(), HeldClock())
    try await withMailingServer(by: mail, at: clock) { server, _ in
      let ada = try await server.signUp("ada")
      let first = try await token(in: mail, to: "ada@example.org")
      let bob = try await server.signUp("bob")
      let bobs = try await token(in: mail, to: "bob@example.org")
      // Parts of one link do not fit to parts of another.
      let (one, other) = (first.split(separator: "."), bobs.split(separator: "."))
      for forged in [
        "", "x", "..", "\(one[0]).\(one[1]).\(other[2])", "\(other[0]).\(one[1]).\(one[2])",
        "\(one[0]).9999999999999999.\(one[2])", "\(one[0]).99999999999999999999.\(one[2])",
        "\(first)x", String(first.dropLast()), first.uppercased(),
      ] {
        try await confirm(server, forged).expect(404, problem: "invalid-confirmation")
      }
      try await server.json("POST", "/email-confirmations", "{}").expect(
        422, fields: ["token missing"])

      // A new email takes the confirmation along, and the old link confirms it no more.
      try await server.json(
        "PATCH", "/users/me",
        #"{"email":"new@example.org","password":"\#(TestServer.password)"}"#, token: ada
      ).expect(200)
      _ = try await blocking { try mail.received() }
      let second = try await token(in: mail, to: "new@example.org")
      try await confirm(server, first).expect(404, problem: "invalid-confirmation")
      try await confirm(server, second).expect(204)
      #expect(try await isConfirmed(server, ada) == true)
      #expect(try await isConfirmed(server, bob) == false)

      clock.set(1_800_000_000_000 + 3 * Self.day)
      try await confirm(server, bobs).expect(404, problem: "invalid-confirmation")
      try await server.json("POST", "/users/me/email-confirmation", "", token: bob).expect(202)
      let again = try await token(in: mail, to: "bob@example.org")
      try await server.delete("/sessions/current", token: bob).expect(204)
      // On a device without a session.
      try await confirm(server, again).expect(204)
      #expect(try await isConfirmed(server, try await server.token("bob")) == true)
    }
  }

  @Test func `new emails count as mails to others`() async throws {
    let mail = try MailServer()
    try await withServer({
      try $0.sendMail(through: mail)
      $0.limitsRates = true
    }) { server in
      let ada = try await server.signUp("ada")
      func change(_ number: Int) async throws -> Answer {
        try await server.json(
          "PATCH", "/users/me",
          #"{"bio":"x","email":"ada\#(number)@example.org","password":"\#(TestServer.password)"}"#,
          token: ada)
      }
      let count = Limit.mail.rate.burst / 2
      for number in 1...count { try await change(number).expect(200) }
      let refused = try await change(count + 1).expect(429, problem: "too-many-requests")
      let wait = try #require(refused["retry-after"].flatMap { Int($0) })
      #expect((1...180).contains(wait))
      let me = try await server.get("/users/me", token: ada).expect(200).json
      #expect(me.email.text == "ada\(count)@example.org")
      // A change without another email sends no mail.
      try await change(count).expect(200)
      // One mail for the account, and two for each new email.
      for _ in 0..<(1 + 2 * count) { _ = try await blocking { try mail.received() } }
    }
  }

  @Test func `without a mail server, nothing is confirmed and sharing needs no confirmation`()
    async throws
  {
    try await withServer { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      #expect(try await isConfirmed(server, ada) == false)
      try await server.json("POST", "/users/me/email-confirmation", "", token: ada)
        .expect(501, problem: "not-here")
      try await confirm(server, "x").expect(404, problem: "invalid-confirmation")
      try await server.json("POST", "\(meme)/shares", Self.share, token: ada).expect(204)
      #expect(try await server.mails(1).count == 1)
    }
  }

  @Test func `an operator can turn off sharing by mail`() async throws {
    try await withServer({ $0.sharesByMail = false }) { server in
      let ada = try await server.signUp("ada")
      let meme = try await server.make(token: ada)
      for token in [ada, server.adminToken] {
        try await server.json("POST", "\(meme)/shares", Self.share, token: token)
          .expect(403, problem: "share-mail-off")
      }
      try await server.json("POST", "\(meme)/shares", Self.share)
        .expect(401, problem: "unauthorized")
      try await server.json("POST", "\(meme)/shares", #"{"channel":"email"}"#, token: ada)
        .expect(204)
    }
  }
}
