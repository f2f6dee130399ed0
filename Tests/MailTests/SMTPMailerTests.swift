import Bytes
import Foundation
import Memes
import Support
import Testing
import Wire

@testable import Mail

struct SMTPMailerTests {
  private static let sender = "memes@example.org"

  private func mailer(
    _ url: String, limits: SMTPMailer.Limits = SMTPMailer.Limits(), trusting: URL? = nil
  ) throws -> SMTPMailer {
    SMTPMailer(
      server: try SMTPServer(url), sender: try EmailAddress(Self.sender),
      now: { Timestamp(millisecondsSince1970: 1_795_248_300_123) }, limits: limits,
      authorities: trusting?.path)
  }

  @Test func `a mail arrives as it was sent`() async throws {
    let server = try MailServer()
    let text = """
      Grüße, שלום, 😀!
      . a dot, and
      .
      ..two, and a blank at the end: \u{20}
      From here a line that is far too long: \(String(repeating: "so long = ", count: 60))

      """
    let picture = [UInt8]((0...255).map { UInt8($0) }) + Array("\r\n.\r\n".utf8)
    try await mailer("smtp://127.0.0.1:\(server.port)").send(
      .sample(
        text: text,
        files: [("meme.jpg", picture), ("ein \"Mëme\"\r\nX: y; 🎉 \(UUID()).jpg", [1])]))
    let mail = try server.received()
    #expect(mail.from == Self.sender && mail.to == ["somebody@example.org"])
    #expect(mail.headers["From"] == Self.sender && mail.headers["To"] == "somebody@example.org")
    #expect(mail.headers["Subject"] == "Ein Mëme für dich 🎉")
    #expect(mail.headers["Date"] == "Sat, 21 Nov 2026 08:05:00 +0000")
    #expect(mail.headers["Message-ID"]?.hasSuffix("@example.org>") == true)
    #expect(mail.headers["MIME-Version"] == "1.0")
    #expect(mail.headers.keys.contains("X") == false)
    #expect(mail.parts.map(\.type) == ["text/plain", "image/jpeg", "image/jpeg"])
    let sent = text.replacing("\n", with: "\r\n")
    #expect(String(decoding: mail.parts[0].bytes, as: UTF8.self) == sent)
    #expect([UInt8](mail.parts[1].bytes) == picture)
    #expect(mail.parts[1].name == "meme.jpg")
    #expect(mail.parts[2].name?.hasPrefix("ein \"Mëme\"") == true)
    #expect(mail.parts[2].name?.hasSuffix(".jpg") == true)
    #expect(mail.defects == [])
    #expect(mail.isASCII && mail.bareLineEnds == 0 && mail.longestLine <= 76)
  }

  @Test(arguments: [
    "plain", String(repeating: "a long subject of words ", count: 8),
    "🏳️‍🌈👩‍👩‍👧‍👦 Zoë e\u{301}\u{301}\u{301} \(String(repeating: "日本語", count: 50))",
    "=?UTF-8?Q?not_encoded?=", "",
  ])
  func `any subject survives, on one line`(_ subject: String) async throws {
    let server = try MailServer()
    try await mailer("smtp://127.0.0.1:\(server.port)").send(.sample(subject: subject))
    let mail = try server.received()
    #expect(mail.headers["Subject"] == MailSubject(subject).text)
    #expect(mail.defects == [] && mail.longestLine <= 76)
  }

  @Test func `random texts and names survive, and no line is too long`() async throws {
    let server = try MailServer()
    let mailer = try mailer("smtp://127.0.0.1:\(server.port)")
    for seed in 1...20 {
      var random = Seeded(state: UInt64(seed))
      let (text, name) = (random.text(upTo: 900), random.text(upTo: 120))
      let bytes = (0..<random.number(below: 300)).map { _ in UInt8(random.number(below: 256)) }
      let sent = try Mail.sample(
        subject: random.text(upTo: 250), text: text, files: [("x\(name).jpg", bytes)])
      try await mailer.send(sent)
      let mail = try server.received()
      #expect(mail.headers["Subject"] == sent.subject.text, "seed \(seed)")
      #expect(
        [UInt8](mail.parts[0].bytes) == Array(text.replacing("\n", with: "\r\n").utf8),
        "seed \(seed)")
      #expect(mail.parts[1].name == "x\(name).jpg", "seed \(seed)")
      #expect([UInt8](mail.parts[1].bytes) == bytes, "seed \(seed)")
      #expect(mail.defects == [] && mail.longestLine <= 998, "seed \(seed)")
    }
  }

  @Test func `a subject cannot inject a header field`() async throws {
    let server = try MailServer()
    try await mailer("smtp://127.0.0.1:\(server.port)").send(
      .sample(subject: "one\r\nBcc: two@example.org\r\n\r\n\u{0}three"))
    let mail = try server.received()
    #expect(mail.headers["Subject"] == "one Bcc: two@example.org three")
    #expect(mail.headers["Bcc"] == nil && mail.to == ["somebody@example.org"])
  }

  @Test func `it signs in, with TLS if the server offers it`() async throws {
    let server = try MailServer(
      "--tls", TestIdentity.certificate.path, TestIdentity.key.path, "--account", "me@example.org",
      "p@ss:w/örd")
    let url = "smtp://me%40example.org:p%40ss%3Aw%2F%C3%B6rd@localhost:\(server.port)"
    try await mailer(url, trusting: TestIdentity.certificate).send(.sample())
    #expect(try server.signIn().encrypted)
    #expect(try server.received().encrypted)
  }

  @Test func `credentials are sent without TLS only to this machine`() async throws {
    let server = try MailServer("--account", "me", "secret")
    try await mailer("smtp://me:secret@127.0.0.1:\(server.port)").send(.sample())
    #expect(try server.signIn().encrypted == false)
    #expect(try server.received().to == ["somebody@example.org"])
    // The same server, at an address that is not known to be local.
    let error = await #expect(throws: MailError.self) {
      try await mailer("smtp://me:secret@0.0.0.0:\(server.port)").send(.sample())
    }
    #expect("\(try #require(error))".contains("SSL"))
    #expect(try server.end() == "")
  }

  @Test func `the error for a wrong password does not contain the credentials`() async throws {
    let server = try MailServer("--account", "me", "right")
    let error = await #expect(throws: MailError.self) {
      try await mailer("smtp://somename:wrong@127.0.0.1:\(server.port)").send(.sample())
    }
    let text = "\(try #require(error))"
    #expect(text.contains("535") && !text.contains("wrong") && !text.contains("somename"))
  }

  @Test func `an untrusted certificate ends the connection before any sign-in`() async throws {
    let server = try MailServer(
      "--tls", TestIdentity.certificate.path, TestIdentity.key.path, "--account", "me", "secret")
    let error = await #expect(throws: MailError.self) {
      try await mailer("smtp://me:secret@localhost:\(server.port)").send(.sample())
    }
    #expect("\(try #require(error))".contains("certificate"))
    #expect(try server.end() == "")
  }

  @Test func `permanent and temporary rejections are distinguished`() async throws {
    let refusing = try MailServer("--refuse", "550")
    await #expect(throws: MailError.refused(status: 550)) {
      try await mailer("smtp://127.0.0.1:\(refusing.port)").send(.sample())
    }
    let busy = try MailServer("--refuse", "450")
    let error = await #expect(throws: MailError.self) {
      try await mailer("smtp://127.0.0.1:\(busy.port)").send(.sample())
    }
    guard case .unavailable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("450"))
  }

  @Test func `a server that takes the mail and does not respond is no rejection`() async throws {
    let server = try MailServer("--hang-up")
    let error = await #expect(throws: MailError.self) {
      try await mailer("smtp://127.0.0.1:\(server.port)").send(.sample())
    }
    #expect(try server.received().to == ["somebody@example.org"])
    guard case .unanswered = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an unreachable server is an error at once`() async throws {
    let server = try MailServer()
    let mailer = try mailer("smtp://127.0.0.1:\(server.port)")
    try await mailer.send(.sample())
    _ = try server.received()
    _ = try server.end()
    let error = await #expect(throws: MailError.self) { try await mailer.send(.sample()) }
    #expect("\(try #require(error))".contains("connect"))
  }

  @Test func `a silent server causes a timeout`() async throws {
    let server = try MailServer("--silent")
    var limits = SMTPMailer.Limits()
    limits.wholeSeconds = 1
    let mailer = try mailer("smtp://127.0.0.1:\(server.port)", limits: limits)
    let start = ContinuousClock.now
    let error = await #expect(throws: MailError.self) { try await mailer.send(.sample()) }
    #expect("\(try #require(error))".contains("Timeout"))
    #expect(.now - start > .milliseconds(900))
  }
}
