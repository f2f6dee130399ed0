import Testing

@testable import HTTP

struct IdempotencyKeyTests {
  private func read(_ values: String...) throws -> String? {
    let fields = try values.map { (HeaderName.idempotencyKey, try #require(HeaderValue($0))) }
    return try IdempotencyKey.read(Headers(fields))?.text
  }

  @Test func `without the field there is no key`() throws {
    #expect(try read() == nil)
  }

  @Test(arguments: [
    ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    (#""8e03978e""#, "8e03978e"), (" \t x ", "x"), (#"  "x"  "#, "x"), (#""a,b""#, "a,b"),
    (#""a\"b\\c""#, #"a"b\c"#), (#"a\b;c=d/~!"#, #"a\b;c=d/~!"#),
  ])
  func `a key is a quoted string, or the same without quotes`(value: String, key: String) throws {
    #expect(try read(value) == key)
  }

  @Test func `a key has up to 255 characters after unescaping`() throws {
    let longest = String(repeating: "k", count: 255)
    #expect(try read(longest) == longest)
    #expect(try read("\"\(longest)\"") == longest)
    let quotes = String(repeating: "\"", count: 255)
    #expect(try read("\"\(quotes.replacing("\"", with: "\\\""))\"") == quotes)
    for tooLong in [longest + "k", "\"\(longest)k\""] {
      #expect(throws: Problem(.invalidIdempotencyKey)) { try read(tooLong) }
    }
  }

  @Test(arguments: [
    "", " ", "\"\"", "\"", "\"a", "a\"", "\"a\"b", "\"a\";p=1", "a,b", "a, b", "\"a\", \"b\"",
    "a b", "\"a b\"", "\"a\\b\"", "\"a\\", "\"a\\\"", "schlüssel", "\"ключ\"", "a\tb",
  ])
  func `invalid keys are rejected`(value: String) throws {
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read(value) }
  }

  @Test func `multiple keys are rejected even if they are equal`() throws {
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read("a", "b") }
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read("a", "a") }
  }
}
