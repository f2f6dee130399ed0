import HTTP
import Testing

struct HeaderTests {
  @Test(arguments: ["", "a b", "a:", "ä", "a\r\n", "\u{7F}"])
  func `a name that is not a token cannot be built`(text: String) {
    #expect(HeaderName(text) == nil)
  }

  @Test(arguments: ["a\r\nSet-Cookie: x", "\n", "\0", "a\u{7F}", "\u{1B}"])
  func `a value that would split the response cannot be built`(text: String) {
    #expect(HeaderValue(text) == nil)
  }

  @Test func `names are case-insensitive, and setting replaces all fields`() throws {
    var headers = Headers()
    let name = try #require(HeaderName("X-Request-ID"))
    headers.append(name, "one")
    headers.append(.xRequestID, "two")
    #expect(headers[.xRequestID]?.text == "one")
    #expect(headers.combined(.xRequestID) == "one, two")
    headers[.xRequestID] = "three"
    #expect(headers.all(name).map(\.text) == ["three"])
  }

  @Test(
    arguments: [
      (nil, "image/jpeg", 1), ("image/*", "image/jpeg", 1), ("image/*", "application/json", 0),
      ("*/*;q=0.1, image/png;q=0.5", "image/png", 0.5), ("*/*;q=0.1, image/png", "image/jpeg", 0.1),
      ("text/html, IMAGE/JPEG ; Q=0.7", "image/jpeg", 0.7), ("nonsense", "image/jpeg", 1),
      ("image/*, image/png;q=0", "image/png", 0), ("image/png;q=abc", "image/png", 0),
      ("image/png;q=nan", "image/png", 0),
    ] as [(String?, String, Double)])
  func `the most specific range determines the quality of a type`(
    field: String?, type: String, quality: Double
  ) {
    #expect(Accept(field).quality(of: type) == quality)
  }

  @Test func `only a bearer token is accepted`() throws {
    func read(_ values: HeaderValue...) throws -> String? {
      try BearerToken.read(Headers(values.map { (.authorization, $0) }))?.text
    }
    #expect(try read() == nil)
    #expect(try read("Bearer abc") == "abc")
    #expect(try read("bearer  abc ") == "abc")
    let bad: [HeaderValue] = [
      "Basic abc", "Bearer", "Bearer ", "abc", "Bearer a b", "Bearer é", "Bearer \u{356}abc",
      "Bearer \t\u{356}abc",
    ]
    for value in bad {
      #expect(throws: Problem.self) { try read(value) }
    }
    #expect(throws: Problem.self) { try read("Bearer a", "Bearer b") }
  }

  @Test func `a request id is accepted only if it is well-formed`() {
    #expect(RequestID("abc-123_X.") != nil)
    for text in ["", "short", "has space", "new\nline1", String(repeating: "a", count: 65)] {
      #expect(RequestID(text) == nil)
    }
    #expect(RequestID(random: 255).text == "000000000007z")
  }
}
