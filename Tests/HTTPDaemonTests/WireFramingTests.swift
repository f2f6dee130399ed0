import HTTP
import HTTPDaemon
import Testing
import Wire

/// What the framing gate refuses, as it comes over a socket and through libmicrohttpd.
@Suite struct WireFramingTests {
  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.9\r\nHost: a\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encodin: chunked\r\n g\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ])
  func `is answered 400 with a problem, once, and the connection ends`(_ request: String)
    async throws
  {
    let service = TestService { _ in
      Issue.record("the request reached the service")
      return .text("")
    }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request(request)
      #expect(response.status == 400 && response.isClosing)
      #expect(response.text.contains("\"malformed-request\""))
      #expect(response["x-request-id"] != nil)
      #expect(await client.isClosedByServer())
      let record = try #require(await service.records(1).first)
      #expect(record.status?.code == 400)
    }
  }

  @Test func `what looks like a second request behind a refused one is not read`() async throws {
    let service = TestService { _ in .text("smuggled") }
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "0\r\n\r\nGET /admin HTTP/1.1\r\nHost: a\r\n\r\n")
      let everything = await client.everything()
      #expect(!everything.contains("smuggled"))
      #expect(everything.hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test func `an unknown method is not implemented`() async throws {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request("BREW / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(response.status == 501 && response.text.contains("\"not-implemented\""))
    }
  }

  @Test func `a head that is too large, and a target that is too long`() async throws {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let large = try WireClient(port: daemon.boundPort)
      let field = "X: " + String(repeating: "x", count: 20_000) + "\r\n"
      let refused = try await large.request("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
      #expect(refused.status == 431 && refused.text.contains("\"header-too-large\""))

      let long = try WireClient(port: daemon.boundPort)
      let target = "/" + String(repeating: "x", count: 9000)
      let response = try await long.request("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(response.status == 414 && response.text.contains("\"uri-too-long\""))

      // Beyond its buffer libmicrohttpd refuses by itself.
      let endless = try WireClient(port: daemon.boundPort)
      await endless.send(
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000))
      #expect(await endless.everything().hasPrefix("HTTP/1.1 431"))
    }
  }

  @Test(arguments: [
    "\r\n\r\n\r\n", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n",
    "\r\n", "G", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "GET / HTTP/1.1\r\n: empty\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
  ])
  func `nothing that a client sends stops the server`(_ bytes: String) async throws {
    // libmicrohttpd may see an end that comes together with bytes no earlier than that.
    try await withDaemon(TestService { _ in .text("alive") }, configure: { $0.idleSeconds = 1 }) {
      daemon in
      let odd = try WireClient(port: daemon.boundPort)
      await odd.send(bytes)
      odd.finishSending()
      _ = await odd.everything()
      let client = try WireClient(port: daemon.boundPort)
      #expect(try await client.request("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "alive")
    }
  }
}
