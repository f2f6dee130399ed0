import Memes
import Testing

struct NameTests {
  private func code<Value>(_ make: () throws(InvalidValue) -> Value) -> String? {
    do throws(InvalidValue) {
      _ = try make()
      return nil
    } catch { return error.code }
  }

  @Test(
    arguments: ["", "ab", "a b", "a-b", "ádá", "a\u{301}bc", "K\u{212A}x", "ad\u{0}", "a@b.c"])
  func `invalid usernames are rejected`(_ text: String) {
    #expect(code { () throws(InvalidValue) in try Username(text) } == "invalid-username")
  }

  @Test func `a username is lowercased and limited in length`() throws {
    #expect(try Username("Ada_99").text == "ada_99")
    #expect(try Username(String(repeating: "Z", count: 30)).text.utf8.count == 30)
    let long = String(repeating: "z", count: 1 << 20)
    #expect(code { () throws(InvalidValue) in try Username(long) } == "invalid-username")
    #expect(code { () throws(InvalidValue) in try Username(wanted: "Admin") } == "reserved")
  }

  @Test func `a display name is one visible line without control characters`() throws {
    for good in ["Ada", "عَلِيّ", "👩🏽‍🚀", "a\u{200D}b"] {
      #expect(try DisplayName(good).text == good)
    }
    for bad in ["a\nb", "a\u{2028}b", "\u{202E}ada", "\u{2066}ada", "a\u{7}"] {
      #expect(code { () throws(InvalidValue) in try DisplayName(bad) } == "not-allowed")
    }
    for blank in [
      "", " ", "\u{3000}\u{A0}", "\u{200B}", "\u{200D}\u{FEFF}", "\u{AD}", "\u{2060}\u{200E}",
      "\u{115F}\u{1160}", "\u{3164}", "\u{FE0F}", "\u{E0020}", "\u{180E}", "\u{2800} \u{2800}",
      "\u{FFF9}",
    ] {
      #expect(code { () throws(InvalidValue) in try DisplayName(blank) } == "empty")
      #expect(code { () throws(InvalidValue) in try CommentText(blank) } == "empty")
      #expect(code { () throws(InvalidValue) in try ReportReason(blank) } == "empty")
    }
    let long = String(repeating: "x", count: 51)
    #expect(code { () throws(InvalidValue) in try DisplayName(long) } == "too-long")
    #expect(code { () throws(InvalidValue) in try Biography("a\u{0}") } == "nul")
  }

  @Test func `a password is never printed`() throws {
    let password = try Password("correct horse")
    for text in ["\(password)", String(reflecting: password), "\([password])"] {
      #expect(!text.contains("horse") && !text.contains("99"), "\(text)")
    }
    let hash = HashedPassword("$argon2id$horse")
    #expect(!"\(hash)".contains("horse") && !String(reflecting: hash).contains("horse"))
    var dumped = ""
    dump((password, hash), to: &dumped)
    #expect(!dumped.contains("horse") && !dumped.contains("99"))
  }
}
