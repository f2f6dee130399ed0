import Memes
import Testing

struct RenditionRequestTests {
  private func derivation(
    of size: (Int, Int), _ stored: PictureFormat, width: Int?, format: OutputFormat?
  ) throws -> Derivation? {
    let digest = try #require(Digest([UInt8](repeating: 0, count: 32)))
    let facts = PictureFacts(
      size: PixelSize(width: size.0, height: size.1), format: stored, byteCount: 1, digest: digest)
    return RenditionRequest(width: try width.map(PictureWidth.init(pixels:)), format: format)
      .derivation(of: facts)
  }

  @Test(arguments: [
    ((640, 480), 320, (320, 240)), ((480, 640), 320, (320, 427)), ((1000, 1999), 333, (333, 666)),
    ((16_384, 3), 16, (16, 1)), ((20, 16_384), 16, (16, 13_107)), ((500, 500), 499, (499, 499)),
  ])
  func `a picture keeps its proportions and gets the requested width`(
    size: (Int, Int), width: Int, expected: (Int, Int)
  ) throws {
    let derivation = try #require(
      try derivation(of: size, .jpeg, width: width, format: nil))
    #expect(derivation.size == PixelSize(width: expected.0, height: expected.1))
    #expect(derivation.format == .jpeg)
  }

  @Test(
    arguments: [
      (nil, nil), (640, nil), (641, nil), (16_384, nil), (nil, .png), (640, .png), (9000, .png),
    ] as [(Int?, OutputFormat?)])
  func `a suitable original is used`(width: Int?, format: OutputFormat?) throws {
    #expect(try derivation(of: (640, 480), .png, width: width, format: format) == nil)
  }

  @Test func `another format keeps the size unless it exceeds the format's limit`() throws {
    let wide = try derivation(of: (640, 480), .png, width: 9000, format: .webp)
    #expect(wide == Derivation(size: PixelSize(width: 640, height: 480), format: .webp))
    let long = try derivation(of: (100, 16_384), .jpeg, width: nil, format: .webp)
    #expect(long?.size == PixelSize(width: 100, height: 16_383))
    let jpeg = try derivation(of: (100, 16_384), .webp, width: nil, format: .jpeg)
    #expect(jpeg?.size == PixelSize(width: 100, height: 16_384))
  }

  @Test(
    arguments: [
      ((4096, 4096), nil, .png, (4096, 4096)), ((12_000, 3000), nil, .png, (8192, 2048)),
      ((12_000, 3000), 11_000, .jpeg, (8192, 2048)), ((12_000, 3000), 8000, .jpeg, (8000, 2000)),
      ((7000, 6000), nil, .avif, (4424, 3792)),
    ] as [((Int, Int), Int?, OutputFormat, (Int, Int))])
  func `renditions have a limited number of pixels`(
    size: (Int, Int), width: Int?, format: OutputFormat, expected: (Int, Int)
  ) throws {
    let made = try derivation(of: size, .jpeg, width: width, format: format)
    #expect(made?.size == PixelSize(width: expected.0, height: expected.1))
  }

  @Test(arguments: [
    (16, 16, 16), (17, 32, 16), (64, 64, 64), (500, 512, 384), (513, 768, 512),
    (4096, 4096, 4096), (4097, 16_384, 4096),
  ])
  func `widths are rounded to a few steps`(wanted: Int, up: Int, down: Int) throws {
    #expect(try PictureWidth(pixels: wanted).steppedUp.pixels == up)
    #expect(PictureWidth(fitting: wanted).pixels == down)
  }

  @Test func `a bound below the narrowest width gives the narrowest`() {
    #expect(PictureWidth(fitting: 1).pixels == 16 && PictureWidth(fitting: .max).pixels == 16_384)
  }

  @Test(arguments: [Int.min, -1, 0, 15, 16_385, .max])
  func `a width is from 16 to 16384`(width: Int) {
    #expect(throws: InvalidValue.self) { try PictureWidth(pixels: width) }
  }
}
