import HTTP
import Testing

@testable import HTTPDaemon

@Suite struct FramingGateTests {
  private func check(
    method: String = "GET", version: String = "HTTP/1.1", target: String? = "/",
    _ fields: [(String, String)], folded: Bool = false, byteCount: Int = 100
  ) throws(Problem) -> CheckedHead {
    try FramingGate.check(
      RawHead(
        method: method, version: version, target: target,
        fields: fields.map { RawHead.Field(name: $0.0, value: $0.1, isFolded: folded) },
        byteCount: byteCount),
      maximumBytes: 32 << 10)
  }

  @Test func `a request without a body passes`() throws {
    let head = try check([("Host", "example.org:80"), ("Accept", "*/*")])
    #expect(head.framing == .none && head.method == .get && !head.expectsContinue)
    #expect(head.headers[.accept]?.text == "*/*")
  }

  @Test func `the body length comes from Content-Length or chunks`() throws {
    #expect(try check([("Host", "h"), ("Content-Length", "12")]).framing == .length(12))
    #expect(try check([("Host", "h"), ("Content-Length", "0")]).framing == .none)
    #expect(try check([("Host", "h"), ("transfer-encoding", "Chunked")]).framing == .chunked)
  }

  @Test func `Expect is honored for HTTP/1.1 only`() throws {
    let fields = [("Host", "h"), ("Expect", "100-Continue"), ("Content-Length", "1")]
    #expect(try check(fields).expectsContinue)
    #expect(try !check(version: "HTTP/1.0", fields).expectsContinue)
  }

  @Test(arguments: [
    [("Content-Length", "5")],
    [("Host", "a"), ("Host", "a")],
    [("Host", "a, b")],
    [("Host", "a/b")],
    [("Host", "a b")],
    [("Host", "h"), ("Transfer-Encoding", "chunked"), ("Content-Length", "5")],
    [("Host", "h"), ("Transfer-Encoding", "gzip, chunked")],
    [("Host", "h"), ("Transfer-Encoding", "chunked "), ("X", "y")],
    [("Host", "h"), ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
    [("Host", "h"), ("Transfer-Encoding", "identity")],
    [("Host", "h"), ("Transfer-Encoding", "")],
    [("Host", "h"), ("Content-Length", "5"), ("Content-Length", "5")],
    [("Host", "h"), ("Content-Length", "5, 5")],
    [("Host", "h"), ("Content-Length", "+5")],
    [("Host", "h"), ("Content-Length", "-5")],
    [("Host", "h"), ("Content-Length", "0x5")],
    [("Host", "h"), ("Content-Length", "")],
    [("Host", "h"), ("Content-Length ", "5")],
    [("Host", "h"), ("X Y", "5")],
    [("Host", "h"), ("", "5")],
    [("Host", "h"), ("X\u{e9}", "5")],
    [("Host", "h"), ("X", "a\u{1}b")],
    [("Host", "h"), ("X", "a\rb")],
  ])
  func `an ambiguous head is malformed`(_ fields: [(String, String)]) {
    #expect { _ = try check(fields) } throws: { ($0 as? Problem)?.kind == .malformedRequest }
  }

  @Test func `HTTP/1.0 needs no Host and has no chunks`() throws {
    #expect(try check(version: "HTTP/1.0", []).framing == .none)
    #expect { try check(version: "HTTP/1.0", [("Transfer-Encoding", "chunked")]) } throws: {
      ($0 as? Problem)?.kind == .malformedRequest
    }
  }

  @Test(arguments: [
    ("HTTP/1.9", ProblemKind.malformedRequest), ("HTTP/2.0", .malformedRequest),
    ("", .malformedRequest), ("http/1.1", .malformedRequest),
  ])
  func `other versions are rejected`(_ version: String, _ kind: ProblemKind) {
    #expect { try check(version: version, [("Host", "h")]) } throws: {
      ($0 as? Problem)?.kind == kind
    }
  }

  @Test(arguments: [
    ("BREW", ProblemKind.notImplemented), ("get", .notImplemented),
    ("TRACE", .methodNotAllowed), ("CONNECT", .methodNotAllowed), ("G(T", .malformedRequest),
    ("", .malformedRequest),
  ])
  func `other methods are not implemented or not allowed`(_ method: String, _ kind: ProblemKind) {
    #expect { try check(method: method, [("Host", "h")]) } throws: {
      ($0 as? Problem)?.kind == kind
    }
  }

  @Test(arguments: [
    (nil, ProblemKind.malformedRequest), ("*", .malformedRequest), ("/a b", .malformedRequest),
    ("/\u{7f}", .malformedRequest), ("/%00", .malformedRequest), ("/%zz", .malformedRequest),
    ("", .malformedRequest), ("/" + String(repeating: "a", count: 8192), .uriTooLong),
  ])
  func `an invalid target is rejected`(_ target: String?, _ kind: ProblemKind) {
    #expect { try check(target: target, [("Host", "h")]) } throws: {
      ($0 as? Problem)?.kind == kind
    }
  }

  @Test func `folded fields and oversized heads are rejected`() {
    #expect { try check([("Host", "h")], folded: true) } throws: {
      ($0 as? Problem)?.kind == .malformedRequest
    }
    #expect { try check([("Host", "h")], byteCount: 40_000) } throws: {
      ($0 as? Problem)?.kind == .headerTooLarge
    }
    #expect { try check([("Host", "h"), ("Content-Length", "99999999999999999999")]) } throws: {
      ($0 as? Problem)?.kind == .contentTooLarge
    }
  }
}
