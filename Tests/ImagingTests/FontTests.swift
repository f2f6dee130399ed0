import Bytes
import Testing

@testable import Imaging

/// Every face for captions.
struct FontTests {
  private static let always = [
    "impact", "comic", "sans", "serif", "typewriter", "rounded", "condensed", "display",
  ]

  @Test func `eight faces are always available, each in its own font`() throws {
    let faces = try CaptionArtist().faces
    #expect(faces.prefix(8).map(\.id) == Self.always)
    #expect(Set(faces.map(\.installed)).count == faces.count)
  }

  @Test(arguments: always)
  func `the sample of a face differs from all others`(id: String) throws {
    let artist = try CaptionArtist()
    let sample = try #require(try artist.sample(of: id))
    let pixels = try decoded(sample)
    #expect([pixels.width, pixels.height, pixels.channels] == [480, 144, 4])
    let ink = stride(from: 3, to: pixels.pixels.count, by: 4).count { pixels.pixels[$0] > 0 }
    #expect(ink > 3000)
    for other in Self.always where other != id {
      #expect(try artist.sample(of: other) != sample, "\(other)")
    }
    #expect(try artist.sample(of: "wingdings") == nil)
  }

  @Test(arguments: always)
  func `every face shows any script and emoji`(id: String) throws {
    let artist = try CaptionArtist()
    var look = CaptionLook()
    (look.font, look.letters) = (id, .asTyped)
    for text in [
      "Straße Łódź", "Привет, мир", "Γειά σου", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया",
      "สวัสดีชาวโลก", "你好世界", "こんにちは", "안녕하세요", "გამარჯობა", "🚀🔥👩🏽‍🚀",
    ] {
      let picture = TestPictures.plain(width: 400, height: 300)
      let outcome = try #require(try artist.draw(text, at: .top, look: look, on: picture))
      #expect(outcome.missingGlyphs.isEmpty, "\(text) in \(id)")
      #expect(picture.pixels.contains { $0 != 128 }, "\(text) in \(id)")
    }
    let outcome = try artist.draw(
      "\u{10FFFD}", at: .top, look: look, on: TestPictures.plain(width: 400, height: 300))
    #expect(outcome?.missingGlyphs == ["\u{10FFFD}"])
  }

  @Test(arguments: always)
  func `emoji keep their colors`(id: String) throws {
    let picture = TestPictures.plain(width: 200, height: 200)
    var look = CaptionLook()
    look.font = id
    _ = try CaptionArtist().draw("❤️🔥", at: .top, look: look, on: picture)
    let isColoured = (0..<200).contains { y in
      (0..<200).contains { x in
        let colour = picture.colour(x, y)
        return colour[0] > 200 && colour[2] < 100
      }
    }
    #expect(isColoured)
  }

  @Test func `emoji have the outline of the caption`() throws {
    func draw(_ outlineWidth: Double, rotation: Double = 0) throws -> PixelBuffer {
      let picture = TestPictures.plain(width: 400, height: 400, level: 255)
      var look = CaptionLook()
      (look.outlineWidth, look.size, look.outline) = (
        outlineWidth, 0.5, InkColor(red: 0, green: 0, blue: 255)
      )
      let box = InkBox(left: 100, top: 100, width: 200, height: 200)
      _ = try CaptionArtist().draw(
        BoxedText("🔥🔥", in: box, at: .middle, rotation: rotation, look: look), on: picture)
      return picture
    }
    func blue(_ picture: PixelBuffer) -> Int {
      stride(from: 0, to: picture.pixels.count, by: 3).count {
        picture.pixels[$0] < 8 && picture.pixels[$0 + 1] < 8 && picture.pixels[$0 + 2] > 247
      }
    }
    #expect(try blue(draw(0)) == 0)
    let upright = try blue(draw(0.11))
    #expect(upright > 500)
    #expect(try abs(blue(draw(0.11, rotation: 30)) - upright) < upright / 5)
  }

  @Test(arguments: always)
  func `ink and outline of every face stay in the box`(id: String) throws {
    let artist = try CaptionArtist()
    var random = Texts(seed: UInt64(id.utf8.reduce(0) { $0 * 31 % 1_000_003 + Int($1) }))
    for round in 0..<25 {
      let (width, height) = (random.number(40...500), random.number(40...400))
      var look = CaptionLook()
      (look.font, look.letters) = (id, round % 2 == 0 ? .asTyped : .capitals)
      look.size = Double(random.number(2...50)) / 100
      look.outlineWidth = Double(random.number(0...30)) / 100
      look.alignment = [.left, .center, .right][round % 3]
      let box = InkBox(
        left: width / 5, top: height / 6, width: width * 3 / 5, height: height / 2)
      let picture = TestPictures.plain(width: width, height: height)
      let text = random.text()
      _ = try artist.draw(BoxedText(text, in: box, at: .middle, look: look), on: picture)
      for y in 0..<height {
        for x in 0..<width where picture.colour(x, y) != [128, 128, 128] {
          let isInside =
            (box.left..<box.left + box.width).contains(x)
            && (box.top..<box.top + box.height).contains(y)
          guard isInside else {
            Issue.record("\(x), \(y) is outside \(box): \(text)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("comic", true, ["Latn"]), ("sans", true, ["Cyrl", "Grek", "Latn"]),
    ("display", true, ["Latn"]),
  ])
  func `a face has its own lower case and scripts`(
    id: String, hasLowercase: Bool, scripts: [String]
  ) throws {
    let artist = try CaptionArtist()
    let coverage = artist.coverage(of: artist.face(id))
    #expect(coverage.hasLowercase == hasLowercase)
    #expect(Set(coverage.scripts).isSuperset(of: scripts))
    #expect(coverage.scripts == coverage.scripts.sorted())
    #expect(!coverage.scripts.contains("Hani"))
  }

  #if os(Linux)
    @Test(arguments: [
      ("Bebas Neue", false, ["Latn"]),
      ("Noto Sans CJK JP", true, ["Hani", "Hira", "Kana", "Latn"]),
      ("Noto Sans Runic", false, []), ("Noto Sans Hebrew", false, ["Hebr"]),
      ("Noto Sans Thai", false, ["Thai"]), ("Noto Color Emoji", false, []),
    ])
    func `an installed font covers only the scripts of its own letters`(
      family: String, hasLowercase: Bool, scripts: [String]
    ) throws {
      let artist = try CaptionArtist()
      let description = CaptionFace.Description(family: family)
      let face = CaptionFace(
        id: "test", family: family, installed: family, scale: 1, fitting: .init(),
        description: description)
      let loaded = try #require(LoadedFont(description, in: artist.context))
      try #require(loaded.family.hasPrefix(family))
      let coverage = artist.coverage(of: face)
      #expect(coverage.hasLowercase == hasLowercase)
      #expect(Set(scripts).isSubset(of: coverage.scripts), "\(coverage.scripts)")
      #expect(coverage.scripts.contains("Latn") == scripts.contains("Latn"))
      #expect(!coverage.scripts.contains("Beng"))
    }
  #endif

  @Test func `every script has distinct letters, under its code and in order`() {
    let samples = FaceCoverage.samples
    #expect(samples.map(\.script) == samples.map(\.script).sorted())
    #expect(Set(samples.map(\.script)).count == samples.count)
    for (script, letters) in samples {
      #expect(script.wholeMatch(of: /[A-Z][a-z]{3}/) != nil)
      #expect(Set(letters.unicodeScalars).count == letters.unicodeScalars.count, "\(script)")
      let others = letters.unicodeScalars.filter { !$0.properties.isAlphabetic }
      #expect(others.isEmpty, "\(script)")
    }
  }

  @Test func `an unknown face id falls back to the first face`() throws {
    let artist = try CaptionArtist()
    #expect(artist.face("wingdings").id == "impact")
  }

  @Test(arguments: [
    ("Open Sans", "open-sans"), ("  O_p.en  ", "o-p-en"), ("微软", "u5faeu8f6f"), ("!!", "font"),
    ("Comic", "comic-2"), ("A/B?c=%", "a-b-c"),
  ])
  func `an added family gets an id that is safe in a URL`(family: String, id: String) {
    let font = AddedFont(family: family, description: .init(family: family))
    #expect(font.id(besides: ["comic", "impact"]) == id)
  }
}
