import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import Rendering

/// White bars above and below the picture.
struct BarTests {
  private static let grey: UInt8 = 120

  private func picture(_ width: Int, _ height: Int, channels: Int = 3) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: channels)
    buffer.pixels.initializeMemory(as: UInt8.self, repeating: Self.grey)
    return buffer
  }

  private func recipe(_ top: String, _ bottom: String) throws -> Recipe {
    var recipe = Recipe()
    recipe.layout = .bar
    (recipe.top, recipe.bottom) = (try CaptionText(top), try CaptionText(bottom))
    return recipe
  }

  /// The number of rows that begin with white, from the top and from the bottom.
  private func bars(_ picture: PixelBuffer) -> (above: Int, below: Int) {
    let isWhite = (0..<picture.height).map { picture.pixels[$0 * picture.bytesPerRow] >= 250 }
    return (isWhite.prefix { $0 }.count, isWhite.reversed().prefix { $0 }.count)
  }

  @Test func `bars are white with black text, and the picture between them is unchanged`()
    async throws
  {
    let file = try PictureEncoder.png(picture(400, 300))
    try await withRenderer { renderer in
      for (top, bottom, count) in [
        ("one does not simply", "walk into mordor", 2), ("only above", " \n", 1),
        ("", "only below", 1), ("", "", 0),
      ] {
        let order = try order(file, try recipe(top, bottom), format: .png, thumbnails: true)
        let meme = try await renderer.render(order)
        let pixels = try decoded(meme.image.bytes)
        let bars = bars(pixels)
        #expect((bars.above > 0) == (top == "" ? false : true))
        #expect((bars.below > 0) == (bottom.first?.isLetter ?? false))
        #expect(pixels.width == 400)
        #expect(pixels.height == 300 + bars.above + bars.below)
        #expect(meme.image.facts.size == PixelSize(width: 400, height: pixels.height))
        #expect(meme.original.size == PixelSize(width: 400, height: 300))
        #expect(meme.fit.count == count)
        #expect(meme.thumbnails?.grid.facts.size == meme.image.facts.size)
        let rowBytes = pixels.bytesPerRow
        let between = pixels.pixels[bars.above * rowBytes..<(bars.above + 300) * rowBytes]
        #expect(between.allSatisfy { $0 == Self.grey })
        for rows in [0..<bars.above, pixels.height - bars.below..<pixels.height]
        where !rows.isEmpty {
          let bar = pixels.pixels[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes]
          #expect(bar.contains(0))
          #expect(bar.filter { $0 == 255 }.count > bar.count / 2)
          // At most 30 % of the picture, and at least the margins and a line.
          #expect((20...90).contains(rows.count))
        }
      }
    }
  }

  @Test func `a bar is as high as its text needs`() async throws {
    let file = try PictureEncoder.png(picture(400, 300))
    try await withRenderer { renderer in
      let one = try await renderer.render(try order(file, try recipe("one", ""))).image
      let many = try await renderer.render(
        try order(file, try recipe("one\ntwo\nthree", ""))
      ).image
      var small = try recipe("one", "")
      small.choices.size = 0.05
      let low = try await renderer.render(try order(file, small)).image
      #expect(low.facts.size.height < one.facts.size.height)
      #expect(one.facts.size.height < many.facts.size.height)
    }
  }

  @Test func `the whole fits the requested edge, and a small picture stays small`() async throws {
    let long = "the quick brown fox jumps over the lazy dog and then some more of the same"
    try await withRenderer(limits: PictureLimits(pixels: 10_000_000)) { renderer in
      for (width, height) in [(1600, 1200), (900, 901), (1201, 1600), (500, 2000), (2000, 300)] {
        let file = try PictureEncoder.jpeg(picture(width, height), quality: 80)
        for edge in [16, 99, 256, 511, 800, 1333] {
          for recipe in [try recipe("hello", ""), try recipe(long, long)] {
            let meme = try await renderer.render(
              try order(file, recipe, maxEdge: edge, format: .png))
            let size = meme.image.facts.size
            #expect(max(size.width, size.height) <= edge, "\(width)×\(height) to \(edge)")
            let bars = bars(try decoded(meme.image.bytes))
            let ratio =
              Double(size.width) / Double(max(1, size.height - bars.above - bars.below))
            let wanted = Double(width) / Double(height)
            if edge >= 256, size.width > 100 {
              #expect(abs(ratio / wanted - 1) < 0.04, "\(width)×\(height) to \(edge)")
              // Little space is lost, except if one more pixel of text would need another line.
              #expect(
                max(size.width, size.height) >= edge * 85 / 100 || max(width, height) < edge,
                "\(width)×\(height) to \(edge): \(size)")
            }
          }
        }
      }
      let file = try PictureEncoder.png(picture(100, 80))
      let meme = try await renderer.render(try order(file, try recipe("hello", "")))
      #expect(meme.image.facts.size.width == 100)
      #expect((81...110).contains(meme.image.facts.size.height))
    }
  }

  @Test func `transparent areas stay transparent, and bars are opaque`() async throws {
    let file = try PictureEncoder.png(picture(300, 200, channels: 4))
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, try recipe("hello", "")))
      #expect(meme.image.facts.format == .png)
      let pixels = try decoded(meme.image.bytes)
      let alphas = (0..<pixels.height).map { pixels.pixels[$0 * pixels.bytesPerRow + 3] }
      #expect(alphas.suffix(200).allSatisfy { $0 == Self.grey })
      #expect(alphas.dropLast(200).allSatisfy { $0 == 255 })
      #expect(alphas.count > 220)
    }
  }

  @Test(arguments: [OutputFormat.gif, .webp])
  func `a moving picture has its bars on every frame`(format: OutputFormat) async throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    try await withRenderer { renderer in
      var recipe = try recipe("a b", "c")
      recipe.crop = try Crop(x: 0, y: 0, width: 64, height: 40)
      (recipe.choices.size, recipe.choices.align) = (0.5, .center)
      let meme = try await renderer.render(
        try order(file, recipe, format: format, thumbnails: true))
      #expect(meme.fit.map(\.position) == [.top, .bottom])
      #expect(meme.image.facts.size.width == 64)
      #expect(meme.image.facts.size.height > 50)
      let header = try PictureHeader(of: meme.image.bytes, maximumPixels: 100_000)
      #expect(header.frames == 5)
      #expect(header.height == meme.image.facts.size.height)
      let bars = bars(try decoded(meme.image.bytes))
      #expect(bars.above > 4 && bars.below > 4, "\(bars) of \(header.height)")
      #expect(meme.thumbnails?.grid.facts.size == meme.image.facts.size)
    }
  }
}
