import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import DrawingHelper
@testable import Rendering

struct FormatChoiceTests {
  @Test func `this machine can write all formats`() async throws {
    try await withRenderer { renderer in
      let formats = try await renderer.writable(OutputFormat.allCases)
      #expect(formats == OutputFormat.allCases)
    }
  }

  @Test(arguments: OutputFormat.allCases)
  func `a render has the requested format`(format: OutputFormat) async throws {
    try await withRenderer { renderer in
      for fixture in [Fixture.photo, .transparent] {
        let meme = try await renderer.render(
          try order(Bytes(fixture.bytes), format: format, thumbnails: true))
        #expect(meme.image.facts.format == PictureFormat(format))
        let kind = try #require(PictureKind(sniffing: meme.image.bytes))
        #expect(PictureFormat(kind) == PictureFormat(format))
        let small = try #require(meme.thumbnails?.grid.facts.format)
        #expect(small == (fixture == .transparent && format != .jpeg ? .png : .jpeg))
      }
    }
  }

  @Test func `the default format suits the picture and is acceptable`() {
    func suiting(_ formats: [OutputFormat], transparent: Bool) -> OutputFormat {
      .suiting(transparent: transparent, among: formats)
    }
    #expect(suiting(OutputFormat.allCases, transparent: false) == .jpeg)
    #expect(suiting(OutputFormat.allCases, transparent: true) == .png)
    #expect(suiting([.webp, .gif], transparent: false) == .webp)
    #expect(suiting([.jpeg, .avif], transparent: true) == .avif)
    #expect(suiting([.gif], transparent: true) == .gif)
  }

  @Test func `a WebP does not exceed its maximum width`() async throws {
    let long = PixelBuffer()
    long.reshape(width: 16_384, height: 2, channels: 3)
    long.pixels.initializeMemory(as: UInt8.self, repeating: 90)
    let file = try PictureEncoder.png(long)
    try await withRenderer { renderer in
      for format in [OutputFormat.webp, .jpeg] {
        let meme = try await renderer.render(
          try order(file, maxEdge: 16_384, format: format, thumbnails: false))
        #expect(meme.image.facts.size.width == (format == .webp ? 16_383 : 16_384))
      }
    }
  }
}
