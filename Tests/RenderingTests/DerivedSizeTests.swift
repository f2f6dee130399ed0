import Bytes
import Imaging
import Memes
import Services
import Support
import Testing

@testable import Rendering

/// Derived pictures are looked up by the size that was ordered, so their size must be exact to the pixel.
struct DerivedSizeTests {
  private func picture(
    _ width: Int, _ height: Int, _ format: OutputFormat
  ) throws -> PictureFile {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: 3)
    for index in 0..<width * height * 3 { buffer.pixels[index] = UInt8(index / 3 % width % 256) }
    let bytes =
      switch format {
      case .png: try PictureEncoder.png(buffer)
      case .webp: try PictureEncoder.webp(buffer)
      case .gif: try PictureEncoder.gif(buffer)
      case .avif: try PictureEncoder.avif(buffer)
      case .jpeg: try PictureEncoder.jpeg(buffer, quality: 85)
      }
    let facts = PictureFacts(
      size: PixelSize(width: width, height: height), format: PictureFormat(format),
      byteCount: bytes.count, digest: testDigest(bytes))
    return PictureFile(facts: facts, bytes: bytes)
  }

  // JPEGs are reduced by 2, 4 or 8 during decoding, and the remainder of that division is cut off.
  @Test(arguments: [
    (1001, 3003, OutputFormat.jpeg), (1007, 2015, .jpeg), (2015, 1007, .jpeg), (501, 500, .jpeg),
    (500, 501, .jpeg), (33, 4001, .jpeg), (4001, 33, .jpeg), (1999, 17, .png), (17, 1999, .png),
    (135, 1000, .jpeg), (641, 1283, .webp), (257, 511, .gif), (255, 509, .avif),
  ])
  func `every width is exact`(width: Int, height: Int, format: OutputFormat) async throws {
    let source = try picture(width, height, format)
    try await withRenderer(limits: .ofRenders) { renderer in
      let widths = [
        16, 17, 31, 63, 100, 125, 126, 199, 250, 251, 333, 499, 500, 503, 999, 1000, 1001,
        width / 2, width / 3, width / 4, width / 8, width - 1,
      ]
      for wanted in widths where wanted >= 16 && wanted < width {
        for target in [nil, OutputFormat.png] {
          let wish = RenditionRequest(width: try PictureWidth(pixels: wanted), format: target)
          let derivation = try #require(wish.derivation(of: source.facts))
          let made = try await renderer.render(
            RenderOrder(redrawing: .sent(source.bytes), as: derivation)
          ).image
          #expect(made.facts.size == derivation.size)
          #expect(made.facts.size.width == wanted)
          #expect(made.facts.format == PictureFormat(derivation.format))
        }
      }
    }
  }

  @Test(arguments: [MovingFixture.whole, .seeThroughWebP])
  func `every width of a moving picture is exact`(fixture: MovingFixture) async throws {
    let bytes = Bytes(try fixture.bytes)
    let facts = PictureFacts(
      size: PixelSize(width: 64, height: 48), format: fixture == .whole ? .gif : .webp,
      byteCount: bytes.count, digest: testDigest(bytes))
    let source = PictureFile(facts: facts, bytes: bytes)
    try await withRenderer(limits: .ofRenders) { renderer in
      for wanted in [16, 17, 33, 50, 63] {
        let wish = RenditionRequest(width: try PictureWidth(pixels: wanted), format: nil)
        let derivation = try #require(wish.derivation(of: facts))
        let made = try await renderer.render(
          RenderOrder(redrawing: .sent(source.bytes), as: derivation)
        ).image
        #expect(made.facts.size == derivation.size)
        let header = try PictureHeader(of: made.bytes, maximumPixels: .max)
        #expect(header.frames == fixture.delays.count)
      }
    }
  }
}
