import Testing

@testable import HTTP

struct IdempotencyKeyTests {
  private func read(_ values: String...) throws -> String? {
    let fields = try values.map { (HeaderName.idempotencyKey, try #require(HeaderValue($0))) }
    return try IdempotencyKey.read(Headers(fields))?.text
  }

  @Test func `no field is no key`() throws {
    #expect(try read() == nil)
  }

  @Test(arguments: [
    ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    (#""8e03978e""#, "8e03978e"), (" \t x ", "x"), (#"  "x"  "#, "x"), (#""a,b""#, "a,b"),
    (#""a\"b\\c""#, #"a"b\c"#), (#"a\b;c=d/~!"#, #"a\b;c=d/~!"#),
  ])
  func `a key is a string in quotes, or the same without them`(value: String, key: String) throws {
    #expect(try read(value) == key)
  }

  @Test func `a key has up to 255 characters, whatever their escapes`() throws {
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
  func `what is no key is refused`(value: String) throws {
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read(value) }
  }

  @Test func `several keys are refused, be they the same`() throws {
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read("a", "b") }
    #expect(throws: Problem(.invalidIdempotencyKey)) { try read("a", "a") }
  }
}
