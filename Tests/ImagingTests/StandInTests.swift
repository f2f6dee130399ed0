import CPangoCairo
import Testing

@testable import Imaging

/// Characters that the default face's own font lacks or draws illegibly.
struct StandInTests {
  private func set(
    _ text: String, _ letters: CaptionLook.Letters = .capitals, font: String = "impact"
  ) throws -> CaptionArtist.LaidOutCaption {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    (look.font, look.letters) = (font, letters)
    let box = InkBox(.top, inPictureOfWidth: 4000, height: 600)
    let bounds = SizeBounds(look: look, width: 4000, height: 600)
    return try #require(artist.set(text, look: look, box: box, bounds: bounds))
  }

  /// The number of runs in other fonts than the layout's own.
  private func foreignRuns(_ layout: TextLayout) -> Int {
    var count = 0
    layout.forEachLine { line in
      layout.forEachRun(in: line) { run, _, _ in count += layout.isOwn(run) ? 0 : 1 }
    }
    return count
  }

  @Test(arguments: [
    "one does not simply", "trời ơi đất hỡi việt nam", "τι λες τώρα", "zażółć gęślą jaźń",
    "привет, мир", "ě ş ğ ı ț ő", "Việt Nam and the rest",
  ])
  func `a caption is drawn in one font`(text: String) throws {
    #expect(foreignRuns(try set(text).layout) == 0)
    #expect(foreignRuns(try set(text, .asTyped).layout) == 0)
  }

  @Test func `scripts without a stand-in leave the other text in the face`() throws {
    let (mixed, plain) = (try set("日本語 words"), try set("words"))
    #expect(foreignRuns(mixed.layout) > 0)
    #expect(mixed.layout.fitting == plain.layout.fitting)
  }

  @Test func `letters typed in lower case are drawn in lower case`() throws {
    let small = try #require(try set("xxx", .asTyped).layout.lines.first)
    let capital = try #require(try set("XXX", .asTyped).layout.lines.first)
    #expect(small.ascent < 0.85 * capital.ascent)
    // Without lowercase letters, the default face is used.
    let (typed, plain) = (try set("XXX 123!", .asTyped), try set("xxx 123!"))
    #expect(typed.layout.fitting == plain.layout.fitting)
    #expect(typed.layout.lines == plain.layout.lines)
  }

  @Test func `the dots of an ellipsis and the bars of a euro sign stay apart`() throws {
    for text in ["wait…", "wait..."] {
      let layout = try set(text).layout
      #expect(layout.fitting.fatten == 0 || layout.scalars.suffix(3) == [".", ".", "."])
    }
    let layout = try set("10€").layout
    var pens: [Double] = []
    layout.forEachLine { line in
      layout.forEachRun(in: line) { run, _, _ in
        pens += (0..<Int(run.glyphs.pointee.num_glyphs))
          .map { layout.fatten(run.glyphs.pointee.glyphs[$0].glyph, of: run) }
      }
    }
    #expect(pens.count == 3 && pens[0] == layout.fitting.fatten)
    #expect(pens[2] == (layout.fitting.fattensEuro ? pens[0] : 0))
  }

  @Test(arguments: [
    ("τι λες τώρα; άέή", "ΤΙ ΛΕΣ ΤΩΡΑ; ΑΕΗ"), ("μαΐου", "ΜΑΪΟΥ"), ("naïve ñ é ß", "NAÏVE Ñ É SS"),
  ])
  func `Greek capitals have no accents, others do`(typed: String, drawn: String) {
    #expect(CaptionWords.prepare(typed, .capitals) == drawn)
    #expect(CaptionWords.prepare(typed, .asTyped) == typed)
  }
}
