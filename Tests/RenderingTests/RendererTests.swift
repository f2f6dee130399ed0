import Bytes
import Imaging
import Memes
import Testing

@testable import Rendering

struct RendererTests {
  /// A vertical gray gradient. The left half is transparent if `transparent` is `true`.
  private func picture(_ width: Int, _ height: Int, transparent: Bool = false) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: transparent ? 4 : 3)
    for y in 0..<height {
      for x in 0..<width {
        let start = (y * width + x) * buffer.channels
        for channel in 0..<3 { buffer.pixels[start + channel] = UInt8(60 + 120 * y / height) }
        if transparent { buffer.pixels[start + 3] = x < width / 2 ? 0 : 255 }
      }
    }
    return buffer
  }

  @Test func `a render has the right sizes, types, digests and captions`() async throws {
    let file = try PictureEncoder.jpeg(picture(1200, 800), quality: 90)
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, maxEdge: 900))
      #expect(meme.original.size == PixelSize(width: 1200, height: 800))
      #expect(meme.original.byteCount == file.count)
      #expect(meme.original.digest == testDigest(file))
      #expect(meme.image.facts.size == PixelSize(width: 900, height: 600))
      #expect(meme.image.facts.format == .jpeg)
      #expect(meme.image.facts.digest == testDigest(meme.image.bytes))
      let thumbnails = try #require(meme.thumbnails)
      #expect(thumbnails.grid.facts.size == PixelSize(width: 512, height: 341))
      #expect(thumbnails.table.facts.size == PixelSize(width: 192, height: 128))
      #expect(meme.fit.map(\.position) == [.top, .bottom])
      #expect(meme.fit.allSatisfy { $0.fontSize > 40 && $0.lines >= 1 && !$0.truncated })
      // The files match the facts.
      for part in [meme.image, thumbnails.grid, thumbnails.table] {
        let pixels = try decoded(part.bytes)
        #expect(pixels.width == part.facts.size.width)
        #expect(pixels.height == part.facts.size.height)
        // Letters and their outline are visible even in the smallest file.
        #expect(pixels.pixels.contains { $0 > 225 })
        #expect(pixels.pixels.contains { $0 < 25 })
      }
    }
  }

  @Test func `the picture between the captions is unchanged`() async throws {
    let source = picture(300, 300)
    let file = try PictureEncoder.png(source)
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, format: .png, thumbnails: false))
      let render = try decoded(meme.image.bytes)
      let rows = 300 * 28 / 100..<300 * 72 / 100
      let range = rows.lowerBound * 900..<rows.upperBound * 900
      #expect(Array(render.pixels[range]) == Array(source.pixels[range]))
      #expect(Array(render.pixels) != Array(source.pixels))
      #expect(meme.thumbnails == nil)
      let jpeg = try decoded(
        try await renderer.render(try order(file, thumbnails: false)).image.bytes)
      let noise = range.map { abs(Int(jpeg.pixels[$0]) - Int(source.pixels[$0])) }.max() ?? 0
      #expect(noise <= 8)
    }
  }

  @Test func `small pictures and their thumbnails are not enlarged`() async throws {
    let file = try PictureEncoder.png(picture(100, 80))
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file))
      #expect(meme.image.facts.size == PixelSize(width: 100, height: 80))
      #expect(meme.thumbnails?.grid.facts.size == PixelSize(width: 100, height: 80))
      #expect(meme.thumbnails?.table.facts.size == PixelSize(width: 100, height: 80))
    }
  }

  @Test func `a picture of one pixel is drawn too`() async throws {
    let file = try PictureEncoder.png(picture(1, 1))
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file))
      #expect(meme.image.facts.size == PixelSize(width: 1, height: 1))
      #expect(meme.fit.allSatisfy { $0.truncated })
    }
  }

  @Test func `a transparent source becomes a transparent PNG unless JPEG is requested`()
    async throws
  {
    let file = try PictureEncoder.png(picture(300, 200, transparent: true))
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file))
      #expect(meme.image.facts.format == .png)
      #expect(meme.thumbnails?.grid.facts.format == .png)
      #expect(try decoded(meme.image.bytes).hasAlpha)
      let flat = try await renderer.render(try order(file, top: "", bottom: "", format: .jpeg))
      #expect(flat.image.facts.format == .jpeg)
      #expect(flat.thumbnails?.table.facts.format == .jpeg)
      #expect(flat.fit.isEmpty)
      let pixels = try decoded(flat.image.bytes)
      #expect(pixels.pixels[(100 * 300 + 50) * 3] > 250)
    }
  }

  @Test func `errors name the reason why a picture cannot be read`() async throws {
    let small = try PictureEncoder.jpeg(picture(200, 200), quality: 85)
    try await withRenderer(limits: PictureLimits(pixels: 39_999)) { renderer in
      await #expect { _ = try await renderer.render(try order(small)) } throws: {
        code($0) == "image too-many-pixels"
      }
      await #expect { _ = try await renderer.render(try order(Bytes("<svg/>"))) } throws: {
        code($0) == "unsupported"
      }
    }
    try await withRenderer { renderer in
      let cut = try #require(small.slice(0..<small.count / 2))
      await #expect { _ = try await renderer.render(try order(cut)) } throws: {
        code($0) == "image broken-picture"
      }
      // The worker continues after a failure.
      _ = try await renderer.render(try order(small))
    }
  }

  private func code(_ error: any Error) -> String {
    switch error as? MemeError {
    case .unsupportedPicture: "unsupported"
    case .invalid(let field, let value): "\(field) \(value.code)"
    default: "\(error)"
    }
  }

  @Test func `health, faces and samples come from the text engine`() async throws {
    try await withRenderer { renderer in
      try await renderer.checkHealth()
      #expect(try await renderer.faces().faces.first?.id == .impact)
      #expect(try decoded(try await renderer.sample(of: .impact)).width == 480)
    }
  }
}
