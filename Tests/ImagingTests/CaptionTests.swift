import Bytes
import Testing

@testable import Imaging

struct CaptionTests {
  private let grey: UInt8 = 128

  private func draw(
    _ text: String, at edge: CaptionEdge = .top, width: Int, height: Int,
    look: CaptionLook = .init()
  ) throws -> (picture: PixelBuffer, outcome: CaptionOutcome) {
    let picture = TestPictures.plain(width: width, height: height, level: grey)
    let outcome = try CaptionArtist().draw(text, at: edge, look: look, on: picture)
    return (picture, try #require(outcome))
  }

  /// Whether there is ink in the box and nowhere else.
  private func staysInside(_ picture: PixelBuffer, _ edge: CaptionEdge) -> Bool {
    let box = InkBox(edge, inPictureOfWidth: picture.width, height: picture.height)
    let rows = box.top..<box.top + box.height
    let columns = box.left * 3..<(box.left + box.width) * 3
    let blank = [UInt8](repeating: grey, count: picture.bytesPerRow)
    var touched = false
    for y in 0..<picture.height {
      let row = Array(picture.pixels[y * picture.bytesPerRow..<(y + 1) * picture.bytesPerRow])
      if row == blank { continue }
      guard rows.contains(y), row[..<columns.lowerBound] == blank[..<columns.lowerBound],
        row[columns.upperBound...] == blank[columns.upperBound...]
      else { return false }
      touched = true
    }
    return touched
  }

  @Test func `letters are white with a black outline`() throws {
    let (picture, _) = try draw("HHHH", width: 400, height: 300)
    var (white, black) = (0, 0)
    for y in 0..<picture.height {
      // Along a row through the letters, black separates the picture from the white.
      var last = grey
      for x in 0..<picture.width {
        let level = picture.colour(x, y)[0]
        if level == 255 {
          white += 1
          #expect(last != grey, "white beside the picture at \(x), \(y)")
        }
        if level == 0 { black += 1 }
        if level == 0 || level == 255 || level == grey { last = level }
      }
    }
    #expect(white > 1500)
    #expect(black > 600)
  }

  @Test func `the caption size of a panorama depends on its width`() throws {
    let wide = try draw("Memes", width: 1800, height: 300).outcome
    #expect(wide.fontSize > 0.035 * 1800)
    #expect(wide.fontSize <= 0.14 * 0.3 * 1800)
    // Up to a ratio of 10 to 3, the height decides.
    let less = try draw("Memes", width: 1000, height: 300).outcome
    #expect(abs(less.fontSize - 0.14 * 300) < 0.01)
  }

  @Test func `small pictures have a wider outline`() throws {
    /// How far the outline extends beyond the letter, in em.
    func outside(width: Int, height: Int) throws -> Double {
      let (picture, outcome) = try draw("I", width: width, height: height)
      let columns = (0..<width).filter { x in
        (0..<height).contains { picture.colour(x, $0)[0] != grey }
      }
      let white = (0..<width).filter { x in
        (0..<height).contains { picture.colour(x, $0)[0] > 200 }
      }
      return Double(columns.count - white.count) / outcome.fontSize
    }
    let large = try outside(width: 1600, height: 1200)
    #expect(abs(large - 0.11) < 0.02)
    #expect(try outside(width: 200, height: 150) > large * 1.3)
  }

  @Test func `the colors are those of the look`() throws {
    var look = CaptionLook()
    look.fill = InkColor(red: 255, green: 0, blue: 0)
    look.outline = InkColor(red: 0, green: 0, blue: 255)
    let (picture, _) = try draw("HHHH", width: 400, height: 300, look: look)
    let colours = Set(
      (0..<picture.height).flatMap { y in
        stride(from: 0, to: picture.width, by: 2).map { picture.colour($0, y) }
      })
    #expect(colours.contains([255, 0, 0]))
    #expect(colours.contains([0, 0, 255]))
    #expect(!colours.contains([255, 255, 255]))
  }

  @Test func `capitals are as tall as Impact's`() throws {
    let (picture, outcome) = try draw("H", width: 250, height: 500)
    let rows = (0..<picture.height).filter { y in
      (0..<picture.width).contains { picture.colour($0, y)[0] == 255 }
    }
    let height = Double((rows.last ?? 0) - (rows.first ?? 0) + 1)
    #expect(outcome.fontSize == 70)
    #expect(abs(height / 70 - 0.79) < 0.02)
  }

  @Test(arguments: [CaptionEdge.top, .bottom])
  func `ink and outline never leave the box, whatever the text and picture`(
    edge: CaptionEdge
  ) throws {
    let artist = try CaptionArtist()
    var random = Texts(seed: edge == .top ? 7 : 8)
    for _ in 0..<40 {
      let (width, height) = (random.number(24...360), random.number(40...300))
      let text = random.text()
      let picture = TestPictures.plain(width: width, height: height, level: grey)
      let outcome = try #require(
        try artist.draw(text, at: edge, look: CaptionLook(), on: picture), "\(text)")
      if outcome.lines > 0 {
        #expect(staysInside(picture, edge), "\(width)×\(height): \(text)")
      } else {
        #expect(outcome.isTruncated)
      }
    }
  }

  @Test func `a shrunk text would not fit at the next larger size`() throws {
    let artist = try CaptionArtist()
    var random = Texts(seed: 3)
    var shrunk = 0
    for _ in 0..<60 {
      let (width, height) = (random.number(200...900), random.number(200...900))
      let text = random.words(1...12)
      let look = CaptionLook()
      let box = InkBox(.top, inPictureOfWidth: width, height: height)
      let bounds = SizeBounds(look: look, width: width, height: height)
      let set = try #require(artist.set(text, look: look, box: box, bounds: bounds))
      let fitter = CaptionFitter(
        layout: set.layout, pen: artist.faces[0].fitting.pen(outline: look.outlineWidth),
        width: Double(box.width), height: Double(box.height))
      // A text with more even lines may be smaller.
      let fit = fitter.largestOfWords(in: bounds.smallest...bounds.largest)
      guard let fit, set.outcome.isShrunk, fit.size >= bounds.readable else { continue }
      shrunk += 1
      // A baseline is at a whole pixel, so the size may be lower by about one.
      let larger = fit.size * 1.01 + 1
      #expect(
        fitter.largestOfWords(in: larger...larger) == nil, "\(width)×\(height): \(text)")
    }
    #expect(shrunk > 20)
  }

  @Test func `typed line breaks are kept, and lines are balanced`() throws {
    #expect(try draw("one\ntwo\nthree", width: 600, height: 400).outcome.lines == 3)
    #expect(try draw("one\n\nthree", width: 600, height: 400).outcome.lines == 3)
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let box = InkBox(.top, inPictureOfWidth: 600, height: 600)
    let set = try #require(
      artist.set(
        "when the tests pass on the first try and you do not trust them at all", look: look,
        box: box,
        bounds: SizeBounds(look: look, width: 600, height: 600)))
    let widths = try #require(set.fit).lines.map(\.width)
    #expect(widths.count > 1)
    #expect((widths.min() ?? 0) > 0.6 * (widths.max() ?? 0))
  }

  @Test func `a long word is broken only if it would be unreadable otherwise`() throws {
    let word = String(repeating: "MEME", count: 15)
    #expect(try draw(word, width: 1500, height: 250).outcome.lines == 1)
    let broken = try draw(word, width: 300, height: 400).outcome
    #expect(broken.lines > 1)
    #expect(!broken.isTruncated)
  }

  @Test func `text that does not fit at the smallest size ends in an ellipsis`() throws {
    let text = Array(repeating: "unreasonable", count: 20).joined(separator: " ")
    let (picture, outcome) = try draw(text, width: 120, height: 90)
    #expect(outcome.isTruncated)
    #expect(outcome.isShrunk)
    #expect(outcome.lines > 0)
    #expect(staysInside(picture, .top))
    #expect(try !draw("short", width: 400, height: 300).outcome.isTruncated)
  }

  @Test func `lines stay apart even if accents and descenders meet`() throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let set = try #require(
      artist.set(
        "Quietly, Jumping;\nÅÉÑŽ ẨỖ", look: look,
        box: InkBox(left: 0, top: 0, width: 900, height: 600),
        bounds: SizeBounds(look: look, width: 900, height: 900)))
    let fit = try #require(set.fit)
    let gap = fit.baselines[1] - fit.baselines[0]
    #expect(gap >= (fit.lines[0].descent + fit.lines[1].ascent + look.outlineWidth) * fit.size)
  }

  @Test func `markup and control characters are plain text`() throws {
    let plain = try draw("a b", width: 300, height: 300).picture
    let control = try draw("  a\tb\u{7} ", width: 300, height: 300).picture
    #expect(Array(plain.pixels) == Array(control.pixels))
    #expect(try draw("<b>&amp;", width: 300, height: 300).outcome.lines == 1)
  }

  @Test func `missing glyphs are reported`() throws {
    let outcome = try draw("A \u{10FFFD} B \u{10FFFD}", width: 300, height: 300).outcome
    #expect(outcome.missingGlyphs == ["\u{10FFFD}"])
    #expect(try draw("Ünï", width: 300, height: 300).outcome.missingGlyphs.isEmpty)
  }

  @Test func `blank text draws nothing`() throws {
    let picture = TestPictures.plain(width: 100, height: 100)
    let outcome = try CaptionArtist().draw(" \n\t ", at: .top, look: CaptionLook(), on: picture)
    #expect(outcome == nil)
    #expect(picture.pixels.allSatisfy { $0 == grey })
  }

  @Test func `ink on a transparent picture is opaque and does not mix with hidden color`() throws {
    let picture = TestPictures.plain(width: 300, height: 200, level: 0, channels: 4)
    // An invisible color must not show at the edges of the outline.
    for index in stride(from: 0, to: picture.pixels.count, by: 4) { picture.pixels[index] = 255 }
    _ = try CaptionArtist().draw("HELLO", at: .top, look: CaptionLook(), on: picture)
    var seen = 0
    for index in stride(from: 0, to: picture.pixels.count, by: 4)
    where picture.pixels[index + 3] > 0 {
      seen += 1
      let (red, green) = (Int(picture.pixels[index]), Int(picture.pixels[index + 1]))
      #expect(abs(red - green) <= 2)
    }
    #expect(seen > 1000)
  }

  @Test func `a caption looks the same at every size`() throws {
    let small = try draw("Memes", width: 400, height: 300).picture
    let large = try draw("Memes", width: 800, height: 600).picture
    let reduced = PixelBuffer()
    try large.scale(toFit: 400, into: reduced)
    let distance = zip(small.pixels, reduced.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    let ink = small.pixels.reduce(0) { $0 + abs(Int($1) - Int(grey)) }
    // A baseline is at a whole pixel of its own picture, so edges may differ by half a pixel.
    #expect(ink > 500_000)
    #expect(distance < ink / 6)
  }

  @Test func `a face reports the installed font`() throws {
    let artist = try CaptionArtist()
    #expect(artist.faces[0].id == "impact")
    #expect(artist.faces[0].family == "Impact")
    #expect(!artist.faces[0].installed.isEmpty)
    let sample = try decoded(try #require(try artist.sample(of: "impact")))
    #expect([sample.width, sample.height, sample.channels] == [480, 144, 4])
    #expect(sample.pixels.contains(255))
  }
}
