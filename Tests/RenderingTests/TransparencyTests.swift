import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import Rendering

/// Memes of partly transparent pictures, as a page shows them over a color.
struct TransparencyTests {
  /// Opaque gray on the right, transparent on the left, with all degrees between.
  private static func veil(_ width: Int, _ height: Int) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: 4)
    for y in 0..<height {
      for x in 0..<width {
        let start = 4 * (y * width + x)
        // Invisible pixels have a color too, which must stay invisible.
        let colour: [UInt8] = x < width / 4 ? [0, 255, 0] : [120, 130, 140]
        for channel in 0..<3 { buffer.pixels[start + channel] = colour[channel] }
        buffer.pixels[start + 3] = UInt8(clamping: (x - width / 4) * 510 / width)
      }
    }
    return buffer
  }

  /// The picture over one color.
  private static func shown(_ picture: PixelBuffer, over ground: [Double]) -> [Double] {
    let (pixels, channels) = (picture.pixels, picture.channels)
    var levels: [Double] = []
    levels.reserveCapacity(picture.width * picture.height * 3)
    for start in stride(from: 0, to: pixels.count, by: channels) {
      let alpha = channels == 4 ? Double(pixels[start + 3]) / 255 : 1
      for channel in 0..<3 {
        levels.append(Double(pixels[start + channel]) * alpha + ground[channel] * (1 - alpha))
      }
    }
    withExtendedLifetime(picture) {}
    return levels
  }

  private static func laid(_ picture: PixelBuffer, over ground: [Double]) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: picture.width, height: picture.height, channels: 3)
    for (index, level) in shown(picture, over: ground).enumerated() {
      buffer.pixels[index] = UInt8(level.rounded())
    }
    return buffer
  }

  private static func farthest(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test(arguments: [[255.0, 0, 255], [0, 0, 0], [255, 255, 255]])
  func `captions over transparency look as if they were drawn on the page`(ground: [Double])
    async throws
  {
    let veil = Self.veil(400, 300)
    let file = try PictureEncoder.png(veil)
    let onPage = try PictureEncoder.png(Self.laid(veil, over: ground))
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, thumbnails: true))
      #expect(meme.image.facts.format == .png)
      let page = try await renderer.render(
        try order(onPage, format: .png, thumbnails: true))
      let image = try decoded(meme.image.bytes)
      #expect(image.hasAlpha)
      let (seen, expected) = (
        Self.shown(image, over: ground), Self.shown(try decoded(page.image.bytes), over: ground)
      )
      #expect(Self.farthest(seen, expected) <= 2)
      let (thumbnails, pageThumbnails) = (
        try #require(meme.thumbnails), try #require(page.thumbnails)
      )
      // The page's own thumbnails are JPEG, whose noise changes the edges of letters: only the mean difference counts.
      for (one, other) in [
        (thumbnails.grid, pageThumbnails.grid), (thumbnails.table, pageThumbnails.table),
      ] {
        #expect(one.facts.format == .png)
        let (seen, expected) = (
          Self.shown(try decoded(one.bytes), over: ground),
          Self.shown(try decoded(other.bytes), over: ground)
        )
        let differences = zip(seen, expected).map { abs($0 - $1) }
        #expect(differences.reduce(0, +) / Double(differences.count) < 4)
      }
    }
  }

  @Test func `a meme requested as JPEG has a white background`() async throws {
    let veil = Self.veil(400, 300)
    let onWhite = try PictureEncoder.png(Self.laid(veil, over: [255, 255, 255]))
    try await withRenderer { renderer in
      let meme = try await renderer.render(
        try order(try PictureEncoder.png(veil), format: .jpeg, thumbnails: true))
      let page = try await renderer.render(try order(onWhite, format: .jpeg, thumbnails: true))
      #expect(meme.image.facts.format == .jpeg)
      #expect(meme.thumbnails?.grid.facts.format == .jpeg)
      let (one, other) = (try decoded(meme.image.bytes), try decoded(page.image.bytes))
      #expect(one.channels == 3)
      #expect(
        Self.farthest(Self.shown(one, over: [0, 0, 0]), Self.shown(other, over: [0, 0, 0])) <= 24)
      // Over white, the left quarter is white except for the letters.
      #expect(one.pixels[(150 * 400 + 20) * 3..<(150 * 400 + 20) * 3 + 3].allSatisfy { $0 >= 253 })
    }
  }

  @Test func `a transparent WebP becomes a transparent PNG`() async throws {
    let bytes = Bytes(try Fixture.transparentWebP.bytes)
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(bytes, top: "", bottom: "", thumbnails: true))
      #expect(meme.image.facts.format == .png)
      #expect(meme.thumbnails?.table.facts.format == .png)
      let (source, image) = (try decoded(bytes), try decoded(meme.image.bytes))
      #expect(image.hasAlpha)
      #expect(Array(image.pixels) == Array(source.pixels))
    }
  }
}
