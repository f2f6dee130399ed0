import Memes
import Testing

struct TagTests {
  @Test(arguments: [
    ("cats", "cats"), ("#Grumpy-Cat", "grumpy-cat"), ("２０２６", "2026"), ("ÉTÉ", "été"),
    ("e\u{301}te\u{301}", "été"), ("ﬁn", "fin"), ("日本語", "日本語"), ("हिन्दी", "हिन्दी"),
    ("می\u{200C}خواهم", "میخواهم"), ("a", "a"), ("9", "9"),
    // The capital of both small sigmas is the same.
    ("ΟΔΌΣ", "οδός"), ("οδόσ", "οδός"), ("ΜΕΓΑΣ-ΟΔΟΣ2", "μεγας-οδος2"), ("οδοςα", "οδοσα"),
    ("Σ", "σ"),
    ("##\u{200D}cats", "cats"), ("\u{D4E}a", "\u{D4E}a"),
    // A joiner before an accent, a variation selector, a grapheme joiner and a Hangul filler.
    ("e\u{200D}\u{301}", "é"), ("1\u{FE0F}", "1"), ("a\u{34F}", "a"), ("a\u{3164}b", "ab"),
    (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
  ])
  func `a tag is kept in one form`(text: String, kept: String) throws {
    #expect(try Memes.Tag(text).text.unicodeScalars.elementsEqual(kept.unicodeScalars))
    #expect(try Memes.Tag(kept).text == kept, "The form of a kept tag is the same.")
  }

  @Test(arguments: [
    "", "#", "-", "a-", "-a", "a--b", "a b", "a_b", "a.b", "a\"b", "a\\b", "a\u{0}", "\u{200D}",
    "\u{301}", "\u{3164}", "\u{1160}", "\u{FE0F}", "-\u{301}", "😼", "a#b",
    String(repeating: "a", count: 41), String(repeating: "ﷺ", count: 3),
    String(repeating: "é", count: 100_000),
  ])
  func `other texts are no tags`(text: String) {
    #expect(throws: InvalidValue.self) { try Memes.Tag(text) }
  }

  @Test func `a beginning may end with a hyphen`() {
    #expect(Memes.Tag(beginning: "#Grumpy-")?.text == "grumpy-")
    #expect(Memes.Tag(beginning: "grumpy--") == nil)
    #expect(Memes.Tag(beginning: "#") == nil)
    // A letter may follow the last sigma.
    #expect(Memes.Tag(beginning: "ΜΕΓΑΣ-ΟΔΟΣ")?.text == "μεγας-οδοσ")
    #expect(Memes.Tag(beginning: "οδος")?.text == "οδος")
  }

  @Test func `repetitions are left out, and more than ten are too many`() throws {
    #expect(try [Memes.Tag](reading: ["b", "A", "a", "#b"]).map(\.text) == ["b", "a"])
    let ten = (0..<10).map { "t\($0)" }
    #expect(try [Memes.Tag](reading: ten + ["T0"]).count == 10)
    let error = #expect(throws: InvalidValue.self) { try [Memes.Tag](reading: ten + ["t10"]) }
    #expect(error?.code == "too-many")
  }
}
