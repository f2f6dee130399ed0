import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

struct ShareTests {
  /// Characters that need escaping in a URL, in HTML or in both.
  private static let caption = "</title><script>alert(\"1\")</script>\n50% & 'more' #tag? 🎉"

  private func share(
    _ server: TestServer, _ url: String, _ json: String, token: String? = nil
  ) async throws -> Answer {
    let headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await server.send(
      "POST", "\(url)/shares", headers: headers + [("Content-Type", "application/json")],
      body: Array(json.utf8))
  }

  @Test func `share links carry the captions, correctly escaped`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving, top: Self.caption, bottom: "two").expect(201)
      let url = try #require(meme["location"])
      let links = try await server.get("\(url)/share").expect(200).json
      let page = "http://127.0.0.1:\(server.port)/m/\(meme.json.id.text ?? "")"
      let title = "</title><script>alert(\"1\")</script> 50% & 'more' #tag? 🎉 – two"
      #expect(links.url.text == page)
      #expect(links.title.text == title)
      #expect(links["text"].text == meme.json.altText.text)

      func parts(_ name: String) throws -> (base: String, query: [String: String]) {
        let link = try #require(links.targets[name].text)
        let parts = try #require(URLComponents(string: link))
        // Only unreserved characters, percent escapes and delimiters of a query.
        #expect(link.wholeMatch(of: /[A-Za-z0-9:\/.?&=%_~-]+/) != nil)
        let query = (parts.queryItems ?? []).filter { !$0.name.isEmpty }
        return (
          link.prefix { $0 != "?" }.description,
          Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.value ?? "") })
        )
      }
      #expect(
        try parts("facebook") == ("https://www.facebook.com/sharer/sharer.php", ["u": page]))
      #expect(try parts("x") == ("https://x.com/intent/post", ["text": title, "url": page]))
      #expect(try parts("whatsapp") == ("https://wa.me/", ["text": "\(title) \(page)"]))
      #expect(try parts("sms") == ("sms:", ["body": "\(title) \(page)"]))
      #expect(
        try parts("email")
          == ("mailto:", ["subject": title, "body": "\(title)\r\n\r\n\(page)"]))
    }
  }

  @Test(arguments: [
    ("", "", "A picture without a caption."), ("", "A cat\non a mat", "A cat on a mat"),
    ("", " \n", "A picture without a caption."),
    (" \n ", "A cat", "A cat"), ("one\ntwo", "A cat", "one two"),
    (
      String(repeating: "word ", count: 50), "A cat",
      String(repeating: "word ", count: 39) + "word…"
    ),
    (
      String(repeating: "e" + String(repeating: "\u{301}", count: 200), count: 10), "A cat",
      String(repeating: "e" + String(repeating: "\u{301}", count: 200), count: 4) + "…"
    ),
  ])
  func `a title is one short line`(_ top: String, _ alt: String, _ title: String) async throws {
    try await withServer { server in
      let url = try #require(
        try await server.upload(.moving, top: top, ["altText": alt]).expect(201)["location"])
      #expect(try await server.get("\(url)/share").expect(200).json.title.text == title)
    }
  }

  @Test func `URLs come from the settings, never from the request`() async throws {
    let settings = try Settings(
      environment: ["MEMEME_PUBLIC_URL": "https://memes.example/part/"], flags: [])
    try await withLiveServer({ $0.publicURL = settings.publicURL }) { server in
      let meme = try await server.upload(.moving).expect(201)
      let id = try #require(meme.json.id.text)
      let client = try server.connect()
      await client.send(
        Array(
          "GET /memes/\(id)/share HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8)
      )
      let links = Answer(try await client.response()).expect(200, lacking: ["evil.example"])
      #expect(links.json.url.text == "https://memes.example/part/m/\(id)")
      let page = try await server.get("/m/\(id)").expect(200).response.text
      #expect(page.contains("\"https://memes.example/part/memes/\(id)/image?v=1\""))
      #expect(page.contains("<img src=\"/part/memes/\(id)/image?v=1\""))
    }
  }

  @Test func `a share counts in every view at once, despite cached responses`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      for count in 0..<3 {
        // Requested twice: the second response comes from the cache.
        for _ in 0..<2 {
          #expect(try await server.get(url).expect(200).json.counts.shares.int == count)
          for view in ["full", "table"] {
            let list = try await server.get("/memes?view=\(view)").expect(200).json
            #expect(list.items[0].counts.shares.int == count)
          }
        }
        try await share(server, url, #"{"channel": "link"}"#).expect(204)
      }
    }
  }

  @Test func `a share keeps the meme's version and cached pictures`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving).expect(201)
      let url = try #require(meme["location"])
      for target in ["\(url)/image", "/m/\(meme.json.id.text ?? "")", url] {
        try await server.get(target).expect(200)
      }
      func kept() async throws -> Double {
        try await server.metrics().value("mememe_answers_kept")
      }
      let before = try await kept()
      try await share(server, url, #"{"channel": "x"}"#).expect(204)
      let after = try await kept()
      #expect(before == 3 && after == 2)
      #expect(try await server.get(url).expect(200).json.version.int == 1)
    }
  }

  @Test(arguments: [
    ("{}", ["channel missing"]), (#"{"channel": null}"#, ["channel missing"]),
    (#"{"channel": "fax"}"#, ["channel not-allowed"]), (#"{"channel": 1}"#, ["channel not-a-text"]),
    (
      #"{"chanel": "x", "to": "nobody"}"#,
      ["chanel unknown-field", "channel missing", "to invalid-email"]
    ),
    (#"{"channel": "x", "to": "a@b.example"}"#, ["to not-allowed"]),
    (#"{"channel": "email", "to": "a@b.example\r\nBcc: c@d.example"}"#, ["to invalid-email"]),
  ])
  func `all invalid share fields are named`(_ body: String, _ fields: [String]) async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      try await share(server, url, body).expect(422, problem: "invalid-input", fields: fields)
      #expect(try await server.get(url).json.counts.shares.int == 0)
    }
  }

  @Test func `malformed, non-JSON and oversized bodies are rejected`() async throws {
    try await withServer { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      for body in ["", "[]", "{", "{\"channel\": \"x\",}"] {
        try await share(server, url, body).expect(400, problem: "malformed-request")
      }
      try await server.send(
        "POST", "\(url)/shares", headers: [("Content-Type", "text/plain")], body: Array("{}".utf8)
      ).expect(415, problem: "unsupported-media-type")
      let large = "{\"channel\": \"x\"\(String(repeating: " ", count: 5000))}"
      try await share(server, url, large).expect(413, problem: "content-too-large")
    }
  }

  @Test func `missing and deleted memes cannot be shared`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving).expect(201)
      let url = try #require(meme["location"])
      try await server.delete(url, token: meme["meme-delete-token"]).expect(204)
      try await server.get("\(url)/share").expect(410, problem: "gone")
      try await share(server, url, #"{"channel": "x"}"#).expect(410, problem: "gone")
      let other = "/memes/\(UUID().uuidString.lowercased())"
      try await server.get("\(other)/share").expect(404, problem: "not-found")
      try await share(server, other, #"{"channel": "x"}"#).expect(404, problem: "not-found")
      try await share(server, "/memes/x", #"{"channel": "x"}"#).expect(404, problem: "not-found")
    }
  }

  @Test func `only signed-in people send mail, and the response waits for it`() async throws {
    try await withServer { server in
      let meme = try await server.upload(top: "for\nyou", bottom: "Grüße").expect(201)
      let url = try #require(meme["location"])
      let outbox = server.folder.appending(path: "outbox")
      let body = #"{"channel": "email", "to": "somebody@example.org"}"#
      try await share(server, url, body).expect(401, problem: "unauthorized")
      try await share(server, url, body, token: meme["meme-delete-token"])
        .expect(403, problem: "forbidden")
      #expect(!FileManager.default.fileExists(atPath: outbox.path))
      #expect(try await server.get(url).json.counts.shares.int == 0)

      try await share(server, url, body, token: server.adminToken).expect(204)
      let names = try FileManager.default.contentsOfDirectory(atPath: outbox.path)
      #expect(names.count == 1)
      let mail = try String(
        contentsOf: outbox.appending(path: try #require(names.first)), encoding: .utf8)
      #expect(mail.contains("\r\nTo: somebody@example.org\r\n"))
      #expect(mail.contains("filename=meme.jpg\r\n"))
      #expect(mail.contains("/m/\(meme.json.id.text ?? "")\r\n"))
      let picture = try await server.get("\(url)/image").expect(200).response.body
      let sent = mail.replacing("\r\n", with: "")
      #expect(sent.contains(Data(picture).base64EncodedString()))
      #expect(try await server.get(url).json.counts.shares.int == 1)
    }
  }

  /// Calls `body` with a server that sends its mail through `mail`.
  private func withMemeOnServer(
    mailingBy mail: MailServer, _ body: (TestServer, _ meme: String) async throws -> Void
  ) async throws {
    try await withServer({ try $0.sendMail(through: mail) }) { server in
      try await body(
        server, try #require(try await server.upload(.moving, top: "Grüße").expect(201)["location"])
      )
    }
  }

  @Test func `mail goes to the configured mail server`() async throws {
    let mail = try MailServer()
    try await withMemeOnServer(mailingBy: mail) { server, url in
      try await share(
        server, url, #"{"channel": "email", "to": "a@b.example"}"#, token: server.adminToken
      ).expect(204)
      let received = try mail.received()
      #expect(received.from == "me@example.org" && received.to == ["a@b.example"])
      #expect(received.headers["Subject"] == "Grüße")
      #expect(received.parts.map(\.name) == [nil, "meme.gif"])
      #expect(
        [UInt8](received.parts[1].bytes) == (try await server.get("\(url)/image").response.body))
    }
  }

  @Test func `an address that the mail server rejects is an invalid field`() async throws {
    try await withMemeOnServer(mailingBy: try MailServer("--refuse", "550")) { server, url in
      try await share(
        server, url, #"{"channel": "email", "to": "a@b.example"}"#, token: server.adminToken
      ).expect(422, problem: "invalid-input", fields: ["to refused"])
      #expect(try await server.get(url).json.counts.shares.int == 0)
    }
  }

  @Test func `a mail that the mail server does not confirm is 503, does not count, and may arrive`()
    async throws
  {
    let mail = try MailServer("--hang-up")
    try await withMemeOnServer(mailingBy: mail) { server, url in
      let answer = try await share(
        server, url, #"{"channel": "email", "to": "a@b.example"}"#, token: server.adminToken)
      answer.expect(503, problem: "mail-unavailable")
      #expect(answer.json.detail.text?.contains("may arrive") == true)
      #expect(try await blocking { try mail.received() }.to == ["a@b.example"])
      #expect(try await server.get(url).json.counts.shares.int == 0)
    }
  }

  @Test func `mail that cannot be sent is 503, does not count and is logged`() async throws {
    // No server listens on port 1.
    let settings = try Settings(
      environment: [
        "MEMEME_SMTP_URL": "smtp://me:secret@127.0.0.1:1", "MEMEME_MAIL_FROM": "me@example.org",
      ], flags: [])
    try await withServer({
      ($0.mailServer, $0.mailSender) = (settings.mailServer, settings.mailSender)
    }) { server in
      let url = try #require(try await server.upload(.moving).expect(201)["location"])
      let answer = try await share(
        server, url, #"{"channel": "email", "to": "a@b.example"}"#, token: server.adminToken)
      answer.expect(503, problem: "mail-unavailable", lacking: ["onnect", "127.0.0.1"])
      #expect(answer["retry-after"] != nil)
      #expect(try await server.get(url).json.counts.shares.int == 0)
      #expect(try server.log.contains("connect"))
      #expect(!(try server.log.contains("secret")))
    }
  }
}
