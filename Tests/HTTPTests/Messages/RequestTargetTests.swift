import HTTP
import Testing

struct RequestTargetTests {
  @Test func `path segments are decoded one by one`() throws {
    let target = try RequestTarget("/a%2Fb/c%20d/%C3%A9?x=1&y=a+b%2B&z")
    #expect(target.segments == ["a/b", "c d", "é"])
    #expect(target.query.map(\.name) == ["x", "y", "z"])
    #expect(target.query.map(\.value) == ["1", "a b+", ""])
  }

  @Test func `the root has no segments, and a trailing slash adds none`() throws {
    #expect(try RequestTarget("/").segments == [])
    #expect(try RequestTarget("/memes/").segments == ["memes"])
    #expect(try RequestTarget("//memes").segments == ["", "memes"])
  }

  @Test(arguments: [
    "http://example.org/memes?limit=1", "HTTPS://example.org/memes?limit=1", "/memes?limit=1",
  ])
  func `absolute form means the same as origin form`(text: String) throws {
    let target = try RequestTarget(text)
    #expect(target.segments == ["memes"])
    #expect(target.query.first?.value == "1")
  }

  @Test(arguments: [
    "", "*", "memes", "ftp://example.org/", "/%", "/%4", "/%zz", "/%00", "/a?b=%ff", "/%C3",
  ])
  func `an invalid request target gets 400`(text: String) {
    #expect { try RequestTarget(text) } throws: { ($0 as? Problem)?.kind == .malformedRequest }
  }

  @Test func `an asterisk means the whole server, for OPTIONS only`() throws {
    let server = try RequestTarget("*", for: .options)
    #expect(server.isWholeServer && server.segments.isEmpty && server.query.isEmpty)
    #expect(try !RequestTarget("/*", for: .options).isWholeServer)
    #expect(try !RequestTarget("/", for: .options).isWholeServer)
    for method in Method.allCases where method != .options {
      #expect(throws: Problem.self) { try RequestTarget("*", for: method) }
    }
    for text in ["**", "*?x", "*/", "", "memes"] {
      #expect(throws: Problem.self) { try RequestTarget(text, for: .options) }
    }
  }

  @Test func `a target has at most 8192 bytes`() {
    #expect(throws: Never.self) { try RequestTarget("/" + String(repeating: "a", count: 8191)) }
    #expect { try RequestTarget("/" + String(repeating: "a", count: 8192)) } throws: {
      ($0 as? Problem)?.kind == .uriTooLong
    }
  }
}
