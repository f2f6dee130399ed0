import Testing

@testable import Imaging

/// Letters of other fonts among letters of the face, which are drawn wider than their glyphs.
struct MixedScriptTests {
  private func ink(_ text: String, font: String = "impact") throws -> [LineInk] {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    (look.font, look.letters) = (font, .asTyped)
    let box = InkBox(.top, inPictureOfWidth: 4000, height: 600)
    let bounds = SizeBounds(look: look, width: 4000, height: 600)
    return try #require(artist.set(text, look: look, box: box, bounds: bounds)?.layout.lines)
  }

  @Test(arguments: ["我们的征途是星辰大海而代码", "สวัสดีชาวโลก", "नमस्ते दुनिया", "Γειά"])
  func `letters that keep their shapes leave no gap`(text: String) throws {
    let (alone, comma) = (try ink(text)[0], try ink(",")[0])
    let together = try ink(text + ",")[0]
    // There is space on both sides of the comma, but not a share of the whole run.
    #expect(together.width < alone.width + comma.width + 0.25)
  }

  @Test(arguments: [("1\u{FE0F}\u{20E3}", "1"), ("#\u{FE0F}\u{20E3}", "#")])
  func `a keycap is drawn as one picture`(keycap: String, key: String) throws {
    let (whole, bare) = (try ink(keycap)[0], try ink(key)[0])
    #expect(whole.width > 0.8 && whole.width < 1.5, "\(whole)")
    #expect(whole.width > bare.width)
  }

  @Test func `accents are placed the same in composed and decomposed text`() throws {
    for (composed, apart) in [
      ("CAFÉ", "CAFE\u{301}"), ("ÑANDÚ", "N\u{303}ANDU\u{301}"), ("Å", "A\u{30A}"),
    ] {
      #expect(try ink(composed) == ink(apart))
    }
  }
}
