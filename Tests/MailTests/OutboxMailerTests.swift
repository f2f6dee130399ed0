import Bytes
import Foundation
import Memes
import Testing

@testable import Mail

struct OutboxMailerTests {
  @Test func `each mail is a separate file that only its owner can read`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "outbox-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mailer = OutboxMailer(
      folder: folder.path, sender: try EmailAddress("memes@localhost"), now: { .now() })
    try await mailer.send(.sample(subject: "first", text: "one\n.\ntwo"))
    try await mailer.send(.sample(subject: "second"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".eml") })
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
    var mails: [String] = []
    for name in names {
      let path = folder.appending(path: name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      mails.append(try String(contentsOfFile: path, encoding: .utf8))
    }
    #expect(
      mails.contains {
        $0.contains("Subject: first\r\n") && $0.hasSuffix("\r\n\r\none\r\n.\r\ntwo\r\n")
      })
    #expect(mails.contains { $0.contains("Subject: second\r\n") })
  }

  @Test(arguments: [
    (
      "Open https://memes.example.org/reset-password#\(String(repeating: "k", count: 43)) now", true
    ),
    (String(repeating: "k", count: 998), true), (String(repeating: "k", count: 999), false),
    ("für https://memes.example.org/", false), ("a\rb", false),
  ])
  func `ASCII text is stored as is`(text: String, isPlain: Bool) throws {
    let letterhead = MIMEMessage(sender: try EmailAddress("memes@example.org"), now: { .now() })
    let message = try #require(letterhead.message(try .sample(text: text)).utf8Text)
    #expect(message.contains(text) == isPlain)
    let encoding = isPlain ? "7bit" : "quoted-printable"
    #expect(message.contains("\r\nContent-Transfer-Encoding: \(encoding)\r\n"))
  }

  @Test func `a resent mail keeps its Message-ID, and other mails differ`() throws {
    let letterhead = MIMEMessage(
      sender: try EmailAddress("memes@example.org"), now: { Timestamp(millisecondsSince1970: 0) })
    let name = Digest { $0[31] = 7 }
    let identifiers = try [name, name, Digest { $0[0] = 7 }, nil, nil].map { name in
      let message = letterhead.message(try .sample(name: name))
      let text = try #require(message.utf8Text)
      return String(
        try #require(text.firstMatch(of: /\r\nMessage-ID: <([0-9a-f-]+)@example.org>\r\n/)).1)
    }
    #expect(identifiers[0] == name.hexadecimal && identifiers[1] == identifiers[0])
    #expect(Set(identifiers).count == 4)
  }

  @Test func `the error for an unwritable folder names the failed call`() async throws {
    let mailer = OutboxMailer(
      folder: "/proc/outbox", sender: try EmailAddress("memes@localhost"), now: { .now() })
    let error = await #expect(throws: MailError.self) { try await mailer.send(.sample()) }
    #expect("\(try #require(error))".contains("mkdir"))
  }
}
