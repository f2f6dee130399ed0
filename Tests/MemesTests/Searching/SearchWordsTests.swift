import Memes
import Testing

struct SearchWordsTests {
  @Test(arguments: [
    ("one does NOT simply", "one does not simply"),
    ("don't-stop_me,now! 2fast", "don t stop me now 2fast"),
    ("", ""), (" \n\t–—…!?\"*", ""),
    // Accents and case, in any Unicode normalization form.
    ("Élan E\u{301}LAN", "elan elan"), ("Ångström ŻÓŁĆ", "angstrom zołc"),
    ("Straße STRASSE", "strasse strasse"),
    ("ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"), ("İstanbul ISTANBUL", "istanbul istanbul"),
    ("Ёлка елка", "елка елка"),
    ("שָׁלוֹם", "שלום"), ("مَرْحَبًا مـرحبا", "مرحبا مرحبا"),
    // Compatibility characters.
    ("ＭＥＭＥ 𝐌𝐞𝐦𝐞 ﬁne ①", "meme meme fine 1"),
    // Scripts without spaces between words, split by letter.
    ("我是猫", "我 是 猫"), ("ｶﾞｯﾂ か\u{3099}っつ", "ガ ッ ツ が っ つ"), ("고양이가", "고 양 이 가"),
    ("ไม่ง่าย", "ไ ม่ ง่ า ย"), ("猫cat犬2", "猫 cat 犬 2"),
    // Vowel signs stay with their letters.
    ("हिन्दी भाषा", "हिन्दी भाषा"),
    // Emoji, regardless of skin color and joiners. More than two repetitions count as two.
    ("哈哈哈哈笑笑 no no NO", "哈 哈 笑 笑 no no"), ("😂😂😂😂😭", "😂 😂 😭"), ("哈哈 哈哈 哈", "哈 哈"),
    ("doge🐕wow", "doge 🐕 wow"), ("👍🏽👍", "👍 👍"), ("❤️ ❤", "❤ ❤"), ("👩‍🚀", "👩 🚀"), ("🇩🇪", "🇩 🇪"),
  ])
  func `a text has the same words however it is written`(text: String, words: String) {
    #expect(SearchWords(text).text == words)
  }

  @Test func `a run of letters without spaces is one word`() {
    #expect(SearchWords("我是 猫, cat").words == [["我", "是"], ["猫"], ["cat"]])
    #expect(SearchWords("👍👍").words == [["👍"], ["👍"]])
    #expect(SearchWords("🇩🇪").words == [["🇩", "🇪"]])
    #expect(SearchWords("").isEmpty)
  }

  /// The pieces are passed to FTS5 in quotation marks. FTS5 splits text at ASCII characters that are neither letters
  /// nor digits.
  @Test func `no piece contains FTS5 syntax`() {
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let words = SearchWords("a\(scalar)b")
      #expect(!words.isEmpty)
      for piece in words.pieces {
        let isPlain = piece.utf8.allSatisfy { byte in
          byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        #expect(isPlain && !piece.isEmpty, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func `normalizing words again changes nothing`() {
    for value in UInt32(0x80)...0x1FBFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = SearchWords(String(scalar)).text
      #expect(SearchWords(text).text == text, "U+\(String(value, radix: 16))")
    }
  }

  @Test func `the length of a piece is limited`() {
    // Each pair of marks belongs to the letter before it.
    let long = "a" + String(repeating: "\u{94D}\u{93E}", count: 1400)
    #expect(SearchWords("\(long) end").pieces.map(\.unicodeScalars.count) == [500, 3])
    #expect(SearchWords(SearchWords(long).text) == SearchWords(long))
  }

  @Test func `a query has a limited number of words, and possibly none`() throws {
    #expect(try SearchQuery("  Grumpy CAT! ").words.words == [["grumpy"], ["cat"]])
    for text in ["", " ", "\"*\" - ( ) : ^", "\u{200D}\u{FE0F}"] {
      #expect(try SearchQuery(text).words.isEmpty)
    }
    let words = (0..<65).map(String.init)
    _ = try SearchQuery(words.prefix(64).joined(separator: " "))
    #expect(throws: InvalidValue.self) { try SearchQuery(words.joined(separator: " ")) }
    #expect(throws: InvalidValue.self) { try SearchQuery(String(repeating: "猫犬", count: 33)) }
    #expect(try SearchQuery(String(repeating: "猫", count: 280)).words.pieces == ["猫", "猫"])
    #expect(throws: InvalidValue.self) { try SearchQuery(String(repeating: "a", count: 281)) }
    #expect(throws: InvalidValue.self) { try SearchQuery("a\0b") }
  }

  @Test func `alt text adds words only if it differs from the captions`() throws {
    let captions = [try CaptionText("one does"), try CaptionText("NOT simply")]
    let made = MemeWords(captions: captions, altText: AltText(describing: captions), tags: [])
    #expect(made.captions.text == "one does not simply" && made.altText.isEmpty)
    let other = MemeWords(captions: captions, altText: try AltText("Boromir"), tags: [])
    #expect(other.altText.text == "boromir")
  }

  @Test func `a person is searched by prefixes of words`() throws {
    let query = try PersonQuery(" Ann  SMI ann ")
    #expect(query.username == nil && query.beginnings == ["ann", "smi"])
    for (text, username) in [
      ("@Ada", "ada"), ("ada_l", "ada_l"), ("7", "7"), ("ádá", nil), ("ada!", nil),
      (String(repeating: "a", count: 31), nil),
    ] {
      #expect(try PersonQuery(text).username == username)
    }
    let underscores = try PersonQuery("___")
    #expect(underscores.username == "___" && underscores.beginnings.isEmpty)
    #expect(throws: InvalidValue.self) { try PersonQuery("_ _") }
    #expect(throws: InvalidValue.self) { try PersonQuery("@") }
    #expect(throws: InvalidValue.self) { try PersonQuery("") }
    #expect(throws: InvalidValue.self) { try PersonQuery(String(repeating: "a", count: 51)) }
    #expect(SearchWords("Élan Smith 🐈").beginnings == ["elan", "smith", "🐈"])
    #expect(SearchWords("山田 太郎").beginnings == ["山田", "田", "太郎", "郎"])
    let long = SearchWords(String(repeating: "\u{FDFA}", count: 50)).beginnings
    #expect(!long.isEmpty && long.allSatisfy { $0.unicodeScalars.count <= 64 })
  }
}
