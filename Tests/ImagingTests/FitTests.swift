import Bytes
import Testing

@testable import Imaging

/// A caption is as large as its box allows, however its lines have to be broken.
struct FitTests {
  private struct Case {
    let text: String
    let look: CaptionLook
    let box: InkBox
    let bounds: SizeBounds
  }

  private static func cases(_ count: Int, seed: UInt64, words: ClosedRange<Int>) -> [Case] {
    var random = Texts(seed: seed)
    return (0..<count).map { _ in
      var look = CaptionLook()
      look.size = Double(random.number(2...50)) / 100
      look.outlineWidth = Double(random.number(0...30)) / 100
      let (width, height) = (random.number(150...1200), random.number(150...1200))
      return Case(
        text: random.words(words), look: look,
        box: InkBox(.top, inPictureOfWidth: width, height: height),
        bounds: SizeBounds(look: look, width: width, height: height))
    }
  }

  /// The largest size over every way to break the words into lines: each is typed, and none is broken further.
  private func bruteForce(_ text: String, _ fitter: CaptionFitter, _ bounds: SizeBounds) -> Double {
    let words = text.split(separator: " ")
    return (0..<1 << (words.count - 1)).map { mask in
      let lines = words.indices.map { index in
        words[index] + (index == words.count - 1 ? "" : mask >> index & 1 == 1 ? "\n" : " ")
      }
      fitter.layout.setText(lines.joined())
      return fitter.typed(in: bounds.smallest...bounds.largest)?.size ?? 0
    }.max() ?? 0
  }

  @Test(arguments: UInt64(11)...20)
  func `no way to break a text into lines is a pixel larger`(seed: UInt64) throws {
    let artist = try CaptionArtist()
    var shrunk = 0
    for one in Self.cases(25, seed: seed, words: 1...7) {
      let set = try #require(
        artist.set(one.text, look: one.look, box: one.box, bounds: one.bounds), "\(one.text)")
      guard let fit = set.fit, fit.size >= one.bounds.readable, !set.outcome.isTruncated else {
        continue
      }
      let fitter = CaptionFitter(
        layout: set.layout, pen: artist.faces[0].fitting.pen(outline: one.look.outlineWidth),
        width: Double(one.box.width), height: Double(one.box.height))
      let text = CaptionWords.prepare(one.text, one.look.letters)
      let largest = bruteForce(text, fitter, one.bounds)
      #expect(fit.size > largest - 1, "\(text) in \(one.box) at \(one.look.size)")
      #expect(fit.size <= largest + 0.1, "\(text) in \(one.box) at \(one.look.size)")
      if set.outcome.isShrunk { shrunk += 1 }
    }
    #expect(shrunk > 8)
  }

  @Test func `no last word is alone where another could keep it company`() throws {
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

  @Test func `a word is broken only where the text could not be read otherwise`() throws {
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

  @Test func `lines of scripts without spaces are broken between words, and right to left too`()
    throws
  {
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
