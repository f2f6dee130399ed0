import Bytes
import Testing

@testable import Imaging

/// A caption is as large as its box allows, whatever the line breaks.
struct FitTests {
  private struct Case {
    let text: String
    let look: CaptionLook
    let box: InkBox
    let bounds: SizeBounds
  }

  private static func cases(
    _ count: Int, face: String, seed: UInt64, words: ClosedRange<Int>, latin: Bool = true
  ) -> [Case] {
    var random = Texts(seed: seed)
    return (0..<count).map { _ in
      var look = CaptionLook()
      look.font = face
      look.size = Double(random.number(2...50)) / 100
      look.outlineWidth = Double(random.number(0...30)) / 100
      let (width, height) = (random.number(150...1200), random.number(150...1200))
      return Case(
        text: random.words(words, latin: latin), look: look,
        box: InkBox(.top, inPictureOfWidth: width, height: height),
        bounds: SizeBounds(look: look, width: width, height: height))
    }
  }

  /// Returns the largest fit over all ways to break lines between words.
  private func bruteForce(_ fitter: CaptionFitter, _ bounds: SizeBounds) -> CaptionFitter.Fit? {
    let map = fitter.layout.breakMap
    return (0..<1 << (map.wordCount - 1)).compactMap { mask in
      let breaks = map.words.dropLast().enumerated().filter { mask >> $0.offset & 1 == 1 }
      return fitter.fit(breaks.map(\.element), in: bounds.smallest...bounds.largest)
    }.max { $0.size < $1.size }
  }

  private static let faces = [
    "impact", "comic", "sans", "serif", "typewriter", "rounded", "condensed", "display",
  ]

  @Test(arguments: faces, UInt64(11)...20)
  func `no other line breaks make a caption notably larger`(face: String, seed: UInt64) throws {
    try checkLargest(Self.cases(25, face: face, seed: seed, words: 1...7), in: face)
  }

  @Test(arguments: UInt64(21)...40)
  func `a caption in many scripts could hardly be larger`(seed: UInt64) throws {
    // Brackets and marks take the font of the text before them on the line. With other line breaks they may be larger
    // or smaller.
    let cases = Self.cases(25, face: "sans", seed: seed, words: 1...5, latin: false)
    try checkLargest(cases, in: "sans", share: 0.9)
  }

  private func checkLargest(
    _ cases: [Case], in face: String, share: Double = 1
  ) throws {
    let artist = try CaptionArtist()
    #expect(artist.face(face).id == face)
    var shrunk = 0
    for one in cases {
      let set = try #require(
        artist.set(one.text, look: one.look, box: one.box, bounds: one.bounds), "\(one.text)")
      guard let fit = set.fit, fit.size >= one.bounds.readable, !set.outcome.isTruncated else {
        continue
      }
      let fitter = CaptionFitter(
        layout: set.layout, pen: artist.face(face).fitting.pen(outline: one.look.outlineWidth),
        width: Double(one.box.width), height: Double(one.box.height))
      // Some scripts also break between words without spaces.
      let map = set.layout.breakMap
      guard map.wordCount <= 9, Set(fit.breaks).isSubset(of: map.words) else { continue }
      let best = try #require(bruteForce(fitter, one.bounds))
      let largest = try #require(
        fitter.largestOfWords(in: one.bounds.smallest...one.bounds.largest))
      let about: Comment = "\(one.text) in \(one.box) at \(one.look.size)"
      #expect(largest.size > share * best.size - 1, about)
      #expect(largest.size <= best.size + 0.1, about)
      // Much more even lines are worth a loss of size.
      let gain = largest.squares / fit.squares
      let least = largest.size * (gain > 1.2 ? 0.9 : gain > 1.1 ? 0.97 : 1)
      #expect(fit.size > least - 0.05, about)
      if set.outcome.isShrunk { shrunk += 1 }
    }
    #expect(shrunk > 8)
  }

  @Test func `the last line is not a single word if another word can join it`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    for words in 5...14 {
      let text = Array(repeating: "meme", count: words).joined(separator: " ")
      let box = InkBox(.top, inPictureOfWidth: 500, height: 500)
      let set = try #require(
        artist.set(
          text, look: look, box: box, bounds: SizeBounds(look: look, width: 500, height: 500)))
      let widths = try #require(set.fit).lines.map(\.width)
      let word = try #require(widths.max()) / (Double(words) / Double(widths.count)).rounded(.up)
      #expect(widths.count > 1)
      #expect((widths.last ?? 0) > 1.5 * word, "\(words) words: \(widths)")
    }
  }

  @Test(arguments: [
    ("one does not simply walk", 800, 600), ("they don't know i use vim", 800, 600),
    ("the cake is a lie", 600, 800), ("i should buy a boat", 600, 800),
  ])
  func `two lines have similar widths with every outline`(
    text: String, width: Int, height: Int
  ) throws {
    let artist = try CaptionArtist()
    var pairs = 0
    for outline in [0, 0.11, 0.2] {
      var look = CaptionLook()
      look.outlineWidth = outline
      let set = try #require(
        artist.set(
          text, look: look, box: InkBox(.top, inPictureOfWidth: width, height: height),
          bounds: SizeBounds(look: look, width: width, height: height)))
      let widths = try #require(set.fit).lines.map(\.width)
      guard widths.count == 2 else { continue }
      pairs += 1
      #expect((widths.max() ?? 0) < 1.5 * (widths.min() ?? 0), "\(outline): \(widths)")
    }
    #expect(pairs > 0)
  }

  @Test(arguments: [
    "je ne sais pas pourquoi ça marche", "Why does this keep happening to me",
    "Съешь ещё этих мягких булок",
  ])
  func `accents and descenders leave no word alone on a line`(text: String) throws {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    look.letters = .asTyped
    let set = try #require(
      artist.set(
        text, look: look, box: InkBox(.top, inPictureOfWidth: 600, height: 400),
        bounds: SizeBounds(look: look, width: 600, height: 400)))
    let widths = try #require(set.fit).lines.map(\.width)
    #expect(widths.count == 2)
    #expect((widths.max() ?? 0) < 1.8 * (widths.min() ?? 0), "\(widths)")
  }

  @Test func `lines are not more even than a limit of the size allows`() throws {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    (look.font, look.letters) = ("sans", .asTyped)
    let limit = 96.89
    let set = try #require(
      artist.set(
        "when gangsta simply to work", look: look,
        box: InkBox(.top, inPictureOfWidth: 1200, height: 900),
        bounds: SizeBounds(look: look, width: 1200, height: 900, limit: limit)))
    // A smaller text would differ from the others, which have the size of the limit.
    #expect(abs(set.outcome.fontSize - limit) < 0.45)
  }

  @Test func `a line that ends at a soft hyphen shows a hyphen`() throws {
    let artist = try CaptionArtist()
    let layout = try #require(TextLayout(face: artist.face("sans"), context: artist.context))
    func widths(_ text: String, breaks: BreakMap.Breaks) -> [Double] {
      layout.setText(text)
      layout.breakLines(at: breaks)
      return layout.lines.map(\.width)
    }
    #expect(widths("Dampf\u{AD}schiff", breaks: [6]) == widths("Dampf-schiff", breaks: [6]))
    layout.setText("Dampf-")
    let hyphenated = layout.breakMap.width(0..<6)
    // It counts in the search for lines, and only there.
    layout.setText("Dampf\u{AD}schiff")
    #expect(abs(layout.breakMap.width(0..<6) - hyphenated) < 0.001)
    let whole = layout.breakMap.width([])
    layout.setText("Dampfschiff")
    #expect(abs(layout.breakMap.width([]) - whole) < 0.001)
    // The line ends at the space and not at the soft hyphen.
    #expect(widths("Dampf\u{AD} schiff", breaks: [7]) == widths("Dampf schiff", breaks: [6]))
  }

  @Test func `a truncated text ends after a whole word`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let box = InkBox(.top, inPictureOfWidth: 200, height: 120)
    let bounds = SizeBounds(look: look, width: 200, height: 120)
    let words = "some words that are too many for so small a picture of nothing at all "
    let text = String(repeating: words, count: 4)
    let set = try #require(artist.set(text, look: look, box: box, bounds: bounds))
    #expect(set.outcome.isTruncated)
    let drawn = String(String.UnicodeScalarView(set.layout.scalars))
    let last = drawn.dropLast(set.layout.ellipsis.count).split(separator: " ").last
    #expect(drawn.hasSuffix(set.layout.ellipsis))
    #expect(words.uppercased().split(separator: " ").contains(try #require(last)), "\(drawn)")
  }

  @Test func `a long word is broken if that makes it much larger`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let box = InkBox(.top, inPictureOfWidth: 260, height: 260)
    let bounds = SizeBounds(look: look, width: 260, height: 260)
    let word = "supercalifragilisticexpialidocious"
    let set = try #require(artist.set(word, look: look, box: box, bounds: bounds))
    #expect(set.outcome.lines == 2 && set.outcome.fontSize > 20)
    // A small gain does not justify a broken word.
    let short = try #require(
      artist.set("rindfleisch etikett", look: look, box: box, bounds: bounds))
    #expect(try #require(short.fit).breaks.allSatisfy(short.layout.breakMap.words.contains))
  }

  @Test func `a word is broken only if the text would be unreadable otherwise`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let word = String(repeating: "meme", count: 20)
    let box = InkBox(.top, inPictureOfWidth: 300, height: 400)
    let bounds = SizeBounds(look: look, width: 300, height: 400)
    let set = try #require(artist.set("so \(word) ok", look: look, box: box, bounds: bounds))
    #expect(set.outcome.lines > 1)
    #expect(set.outcome.fontSize >= bounds.readable)
    let whole = try #require(artist.set("so meme ok", look: look, box: box, bounds: bounds))
    #expect(whole.outcome.lines == 1)
  }

  @Test func `Korean breaks at spaces, and within a word that is too long`() throws {
    let artist = try CaptionArtist()
    let layout = try #require(TextLayout(face: artist.face("sans"), context: artist.context))
    layout.setText("오늘도 3월의 개발자는 PC방에")
    #expect(layout.breakMap.words == [4, 8, 13, 17])
    let look = CaptionLook()
    let box = InkBox(.top, inPictureOfWidth: 600, height: 400)
    let bounds = SizeBounds(look: look, width: 600, height: 400)
    let word = String(repeating: "대한민국은민주공화국이다", count: 4)
    let set = try #require(artist.set(word, look: look, box: box, bounds: bounds))
    #expect(set.outcome.lines > 1)
  }

  @Test func `scripts without spaces break between words, also from right to left`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let box = InkBox(.top, inPictureOfWidth: 300, height: 300)
    let bounds = SizeBounds(look: look, width: 300, height: 300)
    for text in [
      "你好世界你好世界你好世界你好世界你好世界", "สวัสดีชาวโลกสวัสดีชาวโลกสวัสดีชาวโลก",
      "שלום עולם שלום עולם שלום עולם שלום עולם", "مرحبا بالعالم مرحبا بالعالم مرحبا بالعالم",
      "नमस्ते दुनिया नमस्ते दुनिया नमस्ते दुनिया नमस्ते",
    ] {
      let set = try #require(artist.set(text, look: look, box: box, bounds: bounds))
      #expect(set.outcome.lines > 1, "\(text)")
      #expect(!set.outcome.isTruncated, "\(text)")
      #expect(set.outcome.missingGlyphs.isEmpty, "\(text)")
      #expect(set.outcome.fontSize >= bounds.readable, "\(text)")
    }
  }
}
