import Bytes
import Foundation
import HTTP
import Testing
import Wire

@testable import HTTPDaemon

/// Requests that the framing gate rejects, sent over a socket and through libmicrohttpd.
///
/// libmicrohttpd 0.9 passes all of them to the gate. From 1.0 on, with the strictness that the daemon sets, it rejects
/// most of them itself: with its own page or, if the request line contains a NUL, without a response.
@Suite struct WireFramingTests {
  /// How the bytes of a request arrive.
  enum Delivery: CaseIterable { case atOnce, byteByByte }

  private static let malformed = [
    // Host (RFC 9112 §3.2).
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n",
    // Version, method and target (RFC 9112 §2.3, §3).
    "GET / HTTP/1.9\r\nHost: a\r\n\r\n",
    "G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET memes HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /%c3 HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n",
    // Field names, folded fields, NULs (RFC 9112 §5, RFC 9110 §5.5).
    "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n\tfolded\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encodin: chunked\r\n g\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{0}2\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{0} \r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: \u{0}\r\n\r\n",
    // Line endings (RFC 9112 §2.2).
    "GET / HTTP/1.1\nHost: a\n\n",
    "GET / HTTP/1.1\nHost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\n",
    "GET / HTTP/1.1\r\nHost: a\nX-A: 1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a \nX-A: 1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\rX-B: 2\r\n\r\n",
    // The end of the body (RFC 9112 §6).
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nhello",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: five\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ]

  @Test(arguments: malformed, Delivery.allCases)
  func `a malformed request is rejected once and ends the connection`(
    _ request: String, _ delivery: Delivery
  ) async throws {
    try await withNothingServed { service, daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(request + Self.next, delivery)
      let response = try await client.response()
      #expect((400..<500).contains(response.status) && response.isClosing)
      #expect(await client.isClosedByServer())
      if HeadLayout.isKnown || response["x-request-id"] != nil {
        try await expectProblem(response, service)
      }
    }
  }

  @Test(
    arguments: [
      "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a\u{0} HTTP/1.1\r\nHost: a\r\n\r\n",
    ], Delivery.allCases)
  func `a NUL in the request line ends the connection`(
    _ request: String, _ delivery: Delivery
  ) async throws {
    try await withNothingServed { service, daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(request + Self.next, delivery)
      if HeadLayout.isKnown {
        let response = try await client.response()
        #expect(response.isClosing)
        try await expectProblem(response, service)
      }
      #expect(await client.isClosedByServer())
    }
  }

  /// By RFC 9110 §5.5 the space is not part of the value. libmicrohttpd 0.9 treats it as a part.
  @Test(arguments: Delivery.allCases)
  func `a space after the word chunked is rejected or ignored`(
    _ delivery: Delivery
  ) async throws {
    let service = echo()
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked \r\n\r\n5\r\nhello\r\n0\r\n\r\n"
          + Self.next, delivery)
      let response = try await client.response()
      if HeadLayout.isKnown {
        #expect(response.isClosing)
        try await expectProblem(response, service)
        #expect(await client.isClosedByServer())
      } else {
        #expect(response.text == "hello")
        #expect(try await client.response().text == "nothing")
      }
    }
  }

  /// A remaining risk with libmicrohttpd 0.9, which accepts a bare line feed as the end of a line and does not report
  /// it.
  @Test(arguments: ["5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r\n0\n\n"])
  func `a bare line feed between chunks is rejected by libmicrohttpd 1.0`(_ body: String)
    async throws
  {
    try await withDaemon(echo()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)\(Self.next)")
      let response = try await client.response()
      if HeadLayout.isKnown {
        #expect(response.text == "hello")
        #expect(try await client.response().text == "nothing")
      } else {
        #expect(response.status == 400 && response.isClosing)
        #expect(await client.isClosedByServer())
      }
    }
  }

  /// The request that follows each tested request on the same connection.
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Responds with the request body.
  private func echo() -> TestService {
    TestService { _ in
      Admission(body: WholeBody(), bodyLimit: 100) { request in
        guard case .bytes(let bytes) = request.body, !bytes.isEmpty else { return .text("nothing") }
        return Response(.ok, "text/plain", bytes)
      }
    }
  }

  private func withNothingServed(
    _ test: (TestService, Daemon) async throws -> Void
  ) async throws {
    let service = TestService { _ in
      Issue.record("the request reached the service")
      return .text("")
    }
    try await withDaemon(service) { try await test(service, $0) }
    #expect(service.records.count <= 1)
  }

  /// Expects the gate's own response.
  private func expectProblem(_ response: WireResponse, _ service: TestService) async throws {
    #expect(response.status == 400 && response["x-request-id"] != nil)
    #expect(response.text.contains("\"malformed-request\""))
    let record = try #require(try await service.records(1).first)
    #expect(record.status?.code == 400)
  }

  @Test(
    arguments: [
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nhost:a\r\nX-Empty:\r\nX-Blanks: \t \r\nX-A:  1 \t\r\nCookie: a=b; c=d\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
      "GET /?a=b&c HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
      "GET / HTTP/1.0\r\nExpect: more\r\nConnection: keep-alive\r\n\r\n",
    ], Delivery.allCases)
  func `a well-formed request passes, and the connection is kept`(
    _ request: String, _ delivery: Delivery
  ) async throws {
    try await withDaemon(TestService { _ in .text("through") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      for _ in 0..<2 {
        await client.send(request, delivery)
        #expect(try await client.response().text == "through")
      }
    }
  }

  @Test(arguments: [
    ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "not-implemented"),
    ("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501, "not-implemented"),
    ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method-not-allowed"),
    ("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method-not-allowed"),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", 413,
      "content-too-large"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413,
      "content-too-large"
    ),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n", 431,
      "header-too-large"
    ),
    (
      "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n", 431,
      "header-too-large"
    ),
    (
      "GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri-too-long"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 5\r\n\r\n", 417,
      "expectation-failed"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nExpect: more\r\n\r\n", 417,
      "expectation-failed"
    ),
  ])
  func `other rejections report their reason`(
    _ request: String, _ status: Int, _ code: String
  )
    async throws
  {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request(request)
      #expect(response.status == status && response.isClosing)
      // libmicrohttpd 1.0 itself rejects a length that no integer can hold.
      if HeadLayout.isKnown || !request.contains("Content-Length: 99999999999999999999999") {
        #expect(response.text.contains("\"\(code)\""))
      }
      #expect(await client.isClosedByServer())
    }
  }

  /// libmicrohttpd 0.9 alone would send two heads, one inside the other.
  @Test(arguments: [
    String(repeating: "a=b; ", count: 1000), "a=" + String(repeating: "x", count: 20_000),
  ])
  func `cookies that do not fit get one response and end only their own connection`(
    _ cookies: String
  ) async throws {
    try await withDaemon(TestService { _ in .text("") }, configure: { $0.threads = 1 }) { daemon in
      let early = try WireClient(port: daemon.boundPort)
      await early.send("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nX: ")
      try await daemon.isServing(1)
      let odd = try WireClient(port: daemon.boundPort)
      await odd.send("GET / HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n")
      let everything = await odd.everything()
      #expect(everything.components(separatedBy: "HTTP/1.1 ").count == 2)
      if HeadLayout.isKnown {
        #expect(everything.hasPrefix("HTTP/1.1 431"))
        #expect(everything.contains("\"header-too-large\""))
      }
      await early.send("y\r\n\r\n")
      #expect(try await early.response().status == 200)
    }
  }

  @Test func `an invalid length ends only its own connection`() async throws {
    let service = echo()
    try await withDaemon(service, configure: { $0.threads = 1 }) { daemon in
      let early = try WireClient(port: daemon.boundPort)
      await early.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: ")
      let kept = try WireClient(port: daemon.boundPort)
      #expect(try await kept.request("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "nothing")
      await kept.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
      let odd = try WireClient(port: daemon.boundPort)
      let refusal = try await odd.request(
        "POST / HTTP/1.1\r\nHost: a\r\nX-Request-ID: odd-length\r\nContent-Length: +5\r\n\r\nhello")
      #expect(refusal.status == 400)
      #expect(await odd.isClosedByServer())
      await early.send("y\r\n\r\nhello")
      #expect(try await early.response().text == "hello")
      await kept.send("llo")
      #expect(try await kept.response().text == "hello")
      // libmicrohttpd 1.0 rejects it itself.
      guard HeadLayout.isKnown else { return }
      #expect(refusal["x-request-id"] == "odd-length")
      let record = try #require(try await service.records(4).first { $0.id.text == "odd-length" })
      #expect(record.status?.code == 400 && record.outcome == .answered)
    }
  }

  @Test func `the rejection of a HEAD request has no body`() async throws {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send("HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      let everything = await client.everything()
      #expect(everything.hasPrefix("HTTP/1.1 400") && everything.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `libmicrohttpd itself rejects a head larger than its buffer`() async throws {
    let service = TestService { _ in .text("") }
    try await withDaemon(service) { daemon in
      let endless = try WireClient(port: daemon.boundPort)
      await endless.send(
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000))
      #expect(await endless.everything().hasPrefix("HTTP/1.1 431"))
      #expect(try #require(try await service.records(1).first).status?.code == 431)
    }
  }

  @Test(arguments: [
    "\r\n\r\n\r\n", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n",
    "\r\n", "G", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "GET / HTTP/1.1\r\n: empty\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET /\r\n\r\n",
    "GET / HTTP/1.1\r\nX\u{0}Y: 1\r\n\r\n", "GET / HTTP/1.1\rHost: a\r\nHost: a\r\n\r\n",
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}",
  ])
  func `no input stops the server`(_ bytes: String) async throws {
    try await withDaemon(TestService { _ in .text("alive") }) { daemon in
      let odd = try WireClient(port: daemon.boundPort)
      await odd.send(bytes)
      odd.finishSending()
      _ = await odd.everything()
      let client = try WireClient(port: daemon.boundPort)
      #expect(try await client.request("GET / HTTP/1.1\r\nHost: a\r\n\r\n").text == "alive")
    }
  }
}

extension WireClient {
  fileprivate func send(_ request: String, _ delivery: WireFramingTests.Delivery) async {
    switch delivery {
    case .atOnce: await send(request)
    case .byteByByte: await dribble(request)
    }
  }
}
