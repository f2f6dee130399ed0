import Bytes
import Memes
import Testing

struct EmojiNamesTests {
  private let names = EmojiNames(
    Bytes(Array("+1\t👍\n_1\t👎\na\t🅰\ncat\t🐱\nman's_shoe\t👞\nt-rex\t🦖\nthumbs_up\t👍\nus\t🇺🇸\n".utf8)))

  @Test(arguments: [
    ("a :cat: and :us:", "a 🐱 and 🇺🇸"), (":cat::cat:", "🐱🐱"), (":a:cat:", "🅰cat:"),
    (":no:cat:", ":no🐱"), ("::cat::", ":🐱:"), (":+1:", "👍"), ("at 10:30", "at 10:30"),
    (":thumbs_up: :thumbs up:", "👍 👍"), (":man’s shoe: :man's_shoe:", "👞 👞"),
    (":t–rex: :t-rex:", "🦖 🦖"), (": cat:", ": cat:"), ("Rule: 1: no", "Rule: 1: no"), (":_1:", "👎"),
    (":Cat:", ":Cat:"), (":", ":"), ("", ""),
    (":cat", ":cat"), (":cat\nman's_shoe:", ":cat\nman's_shoe:"), (":cat\t:", ":cat\t:"),
    (":chat🐱:", ":chat🐱:"), ("::", "::"),
  ]) func `known names between colons are emoji`(text: String, replaced: String) {
    #expect(names.replacingNames(in: text) == replaced)
  }

  @Test func `the canonical address of a meme is its own canonical address`() {
    var generator = SystemRandomNumberGenerator()
    let parts = [
      ":", ":", "cat", "thumbs", "up", "_", "__", "-", " ", "–", "t", "rex", "man", "’", "'", "s",
      "shoe", "~n", "\r", "us", "🐱", "+1",
    ]
    for _ in 0..<5000 {
      let length = Int.random(in: 0...14, using: &generator)
      let segment = (0..<length).map { _ in parts.randomElement(using: &generator) ?? ":" }.joined()
      let link = MemeLink(template: "x", lines: ["\(segment).png"], names)
      let again = MemeLink(
        template: link.segments[0], lines: Array(link.segments.dropFirst()), names)
      #expect(again.segments == link.segments, "\(segment)")
      // A text in a form is drawn like the one in an address.
      let written = MemeLink(template: "x", texts: link.texts, ending: .png, names)
      #expect(written.segments == link.segments, "\(segment)")
    }
  }

  @Test func `a long text full of colons is read`() {
    let text = String(repeating: ":a", count: 5000)
    #expect(names.replacingNames(in: text + ":") == String(repeating: "🅰a", count: 2500) + ":")
  }
}
