import Testing

@testable import Mail

struct SMTPServerTests {
  @Test func `a URL has its parts decoded and its port filled in`() throws {
    let plain = try SMTPServer("smtp://mail.example.org")
    #expect(plain.url == "smtp://mail.example.org:587")
    #expect(plain.account == nil && !plain.requiresTLS)
    let full = try SMTPServer("smtps://me%40example.org:a%3Ab@[2001:db8::1]:2465/")
    #expect(full.url == "smtps://[2001:db8::1]:2465")
    #expect(full.account?.name == "me@example.org" && full.account?.password == "a:b")
    #expect(try SMTPServer("smtps://mail.example.org").url == "smtps://mail.example.org:465")
  }

  @Test(arguments: [
    ("smtp://a:b@localhost", false), ("smtp://a:b@127.8.0.1", false), ("smtp://a:b@[::1]", false),
    ("smtp://a:b@10.0.0.1", true), ("smtp://a:b@127.0.0.1.example.org", true),
    ("smtp://a:b@mail", true), ("smtps://localhost", true), ("smtp://mail", false),
  ])
  func `credentials require TLS except on this machine`(_ url: String, _ requiresTLS: Bool) throws {
    #expect(try SMTPServer(url).requiresTLS == requiresTLS)
  }

  @Test(arguments: [
    "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://host/path",
    "smtp://host?x", "smtp://host#x", "smtp://host:0", "smtp://host:70000", "smtp://user@host",
    "smtp://:secret@host", "smtp://user:@host", "smtp://user:a%0D%0Asecret@host",
    "smtp://user:a%00secret@host", "file:///etc/passwd",
  ])
  func `an invalid URL is rejected without repeating the password`(_ url: String) throws {
    let error = #expect(throws: SMTPServer.Invalid.self) { try SMTPServer(url) }
    #expect(error?.reason.contains("secret") == false)
  }
}
