import HTTP
import Testing

struct EntityTagTests {
  @Test(arguments: [
    (#""abc""#, false, "abc"), (#""""#, false, ""), (#"W/"abc""#, true, "abc"),
    (#""a,b c"#, nil, ""), (#""a,b""#, false, "a,b"), (#""ä€🐈""#, false, "ä€🐈"),
    (#""W/""#, false, "W/"), (#""\""#, false, #"\"#),
  ])
  func `a tag is quoted text, possibly weak`(text: String, isWeak: Bool?, opaque: String) {
    #expect(EntityTag(text)?.isWeak == isWeak)
    #expect(EntityTag(text)?.opaque == (isWeak == nil ? nil : opaque))
  }

  @Test(arguments: [
    "", "abc", "\"", "\"abc", "abc\"", "\"a\"b\"", "\"a\"\"b\"", "w/\"abc\"", "W\"abc\"",
    "W/ \"abc\"", "W/", "\"a b\"", " \"a\"", "\"a\" ", "\"a\tb\"", "\"a\u{7F}b\"", "\"a\", \"b\"",
    "*", "\"a\0b\"", "'abc'",
  ])
  func `any other text is not a tag`(text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test func `tags match as defined in RFC 9110 §8.8.3.2`() throws {
    let (strong, other) = (try #require(EntityTag("\"1\"")), try #require(EntityTag("\"2\"")))
    let weak = try #require(EntityTag("W/\"1\""))
    #expect(strong.matchesStrongly(strong) && strong.matchesWeakly(strong))
    #expect(!weak.matchesStrongly(weak) && weak.matchesWeakly(weak))
    #expect(!weak.matchesStrongly(strong) && !strong.matchesStrongly(weak))
    #expect(weak.matchesWeakly(strong) && strong.matchesWeakly(weak))
    #expect(!strong.matchesStrongly(other) && !strong.matchesWeakly(other))
  }

  @Test(arguments: [
    (#""a""#, ["a"]), (#""a","b""#, ["a", "b"]), ("\"a\" ,\t \"b\" ", ["a", "b"]),
    (#""a,b", W/"c""#, ["a,b", "c"]), (#", ,"a",,"b","#, ["a", "b"]), (#"  "a""#, ["a"]),
  ])
  func `a list is separated by commas, and empty elements are ignored`(
    text: String, opaque: [String]
  ) {
    guard case .tags(let tags)? = EntityTagList(text) else {
      Issue.record("no list")
      return
    }
    #expect(tags.map(\.opaque) == opaque)
  }

  @Test(arguments: ["*", " * ", "\t*"])
  func `an asterisk matches any tag`(text: String) { #expect(EntityTagList(text) == .any) }

  @Test(arguments: [
    "", " ", ",", ", ,", "a", "\"a\" \"b\"", "\"a\"\"b\"", "\"a\";\"b\"", "*, \"a\"", "\"a\", *",
    "**", "\"a", "\"a\", b", "\"a\", \"", "W/*", "\"a\"\r\n",
  ])
  func `any other text is not a list`(text: String) { #expect(EntityTagList(text) == nil) }

  @Test func `the length of a list is limited`() {
    func list(_ count: Int) -> String {
      Array(repeating: "\"x\"", count: count).joined(separator: ",")
    }
    #expect(EntityTagList(list(EntityTagList.maximumCount)) != nil)
    #expect(EntityTagList(list(EntityTagList.maximumCount + 1)) == nil)
    #expect(EntityTagList(String(repeating: ",", count: 16_000)) == nil)
    #expect(EntityTagList(String(repeating: "\"", count: 16_001)) == nil)
  }
}
