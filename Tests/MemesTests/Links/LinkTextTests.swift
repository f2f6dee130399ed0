import Memes
import Testing

struct LinkTextTests {
  /// From the tests and the documentation of memegen.
  static let vectors = [
    ("def_data()_--~g_Dict", "def data() -> Dict"),
    ("finish_~l--_start", "finish <- start"),
    ("git_commit_----no--verify", "git commit --no-verify"),
    ("__username_likes___charname", "_username likes _charname"),
    ("underscore__-dash--", "underscore_ dash-"),
    ("kill_--9", "kill -9"),
    ("C~h_or_Swift~q", "C# or Swift?"),
    ("100~p_''sure''_~s_yes_~a_no--one", "100% \"sure\" / yes & no-one"),
    ("one~ntwo", "one\ntwo"), ("back~bslash", "back\\slash"), ("_", ""),
    ("a_--_b", "a - b"), ("__id", "_id"), ("git_--a_----all", "git -a --all"),
    ("it's_~x_~N", "it's ~x ~N"), ("tschüß_☃", "tschüß ☃"),
  ]

  @Test(arguments: vectors) func `an address is read as memegen means it`(
    segment: String, text: String
  ) {
    #expect(LinkText.text(of: segment) == text)
  }

  @Test(arguments: vectors) func `a text is written as memegen writes it`(
    segment: String, text: String
  ) {
    #expect(LinkText.segment(of: text) == segment)
  }

  @Test(arguments: [
    ("hello-world", "hello_world"), ("hello world", "hello_world"), ("what?", "what~q"),
    ("a/b", "a~sb"), ("“so”", "''so''"), ("don’t", "don't"), ("a–b", "a--b"), ("\r\n", "~n"),
  ]) func `another spelling has a canonical one`(segment: String, canonical: String) {
    #expect(LinkText.segment(of: LinkText.text(of: segment)) == canonical)
  }

  @Test func `every text is read as it was written`() {
    // All texts of up to six of these, which interact with each other.
    let characters: [Character] = [" ", "_", "-", "a", "\""]
    var texts = [""]
    for _ in 1...6 {
      texts += texts.filter { $0.count == texts.last?.count ?? 0 }.flatMap { text in
        characters.map { "\(text)\($0)" }
      }
    }
    #expect(texts.count > 19_000)
    for text in texts {
      let segment = LinkText.segment(of: text)
      #expect(LinkText.text(of: segment) == text, "\(segment)")
    }
  }

  @Test func `the canonical spelling of a segment is its own canonical spelling`() {
    var generator = SystemRandomNumberGenerator()
    let characters = Array("_- '~nqaphsblg\"’–\n\r?&%#/\\<>é☃\u{301}")
    for _ in 0..<5000 {
      let length = Int.random(in: 0...12, using: &generator)
      let segment = String(
        (0..<length).map { _ in characters.randomElement(using: &generator) ?? "_" })
      let canonical = LinkText.segment(of: LinkText.text(of: segment))
      #expect(LinkText.segment(of: LinkText.text(of: canonical)) == canonical, "\(segment)")
    }
  }
}
