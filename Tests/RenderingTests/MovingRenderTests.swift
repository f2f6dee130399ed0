import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import DrawingHelper
@testable import Rendering

/// Memes of moving pictures.
struct MovingRenderTests {
  private func header(_ file: Bytes) throws -> PictureHeader {
    try PictureHeader(of: file, maximumPixels: 10_000_000)
  }

  @Test(arguments: [
    (MovingFixture.whole, OutputFormat?.none, OutputFormat.gif), (.disposal, .none, .gif),
    (.wholeWebP, .none, .webp), (.seeThroughWebP, .gif, .gif), (.whole, .webp, .webp),
  ])
  func `a moving picture keeps moving with captions, and thumbnails are still`(
    fixture: MovingFixture, asked: OutputFormat?, format: OutputFormat
  ) async throws {
    let file = Bytes(try fixture.bytes)
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, top: "wow", bottom: "", format: asked))
      #expect(meme.image.facts.format == PictureFormat(format))
      #expect(meme.image.facts.size == PixelSize(width: 64, height: 48))
      #expect(meme.original.format == PictureFormat(try header(file).kind))
      #expect(try header(meme.image.bytes).frames == fixture.delays.count)
      #expect(meme.fit.map(\.position) == [.top])
      let thumbnails = try #require(meme.thumbnails)
      let seeThrough = fixture == .disposal || fixture == .seeThroughWebP
      for small in [thumbnails.grid, thumbnails.table] {
        #expect(small.facts.format == (seeThrough ? .png : .jpeg))
        #expect(small.facts.size == PixelSize(width: 64, height: 48))
        #expect(try header(small.bytes).frames == 1)
        #expect(try hasWhiteLetters(decoded(small.bytes)))
      }
      #expect(try hasWhiteLetters(decoded(meme.image.bytes)))
    }
  }

  /// Looks in the upper quarter, which has no white in the pictures themselves.
  private func hasWhiteLetters(_ picture: PixelBuffer) -> Bool {
    let count = picture.width * picture.height / 4
    return (0..<count).contains { place in
      (0..<3).allSatisfy { picture.pixels[place * picture.channels + $0] > 215 }
    }
  }

  @Test(arguments: [OutputFormat.jpeg, .png, .avif])
  func `a requested still is the first frame`(format: OutputFormat) async throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    try await withRenderer { renderer in
      let meme = try await renderer.render(try order(file, top: "", bottom: "", format: format))
      #expect(meme.image.facts.format == PictureFormat(format))
      guard format != .avif else { return }
      #expect(try header(meme.image.bytes).frames == 1)
      let (still, first) = (try decoded(meme.image.bytes), try decoded(file))
      let differences = zip(still.pixels, first.pixels).map { abs(Int($0) - Int($1)) }
      #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 6)
    }
  }

  @Test func `if no moving format is acceptable, the result is a suitable still`() async throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    try await withRenderer { renderer in
      for (formats, format) in [
        ([OutputFormat.jpeg, .png], PictureFormat.jpeg), ([.png], .png), ([.webp, .jpeg], .webp),
      ] {
        let plain = try order(file)
        let meme = try await renderer.render(
          RenderOrder(
            picture: .sent(file), recipe: plain.recipe, maxEdge: plain.maxEdge, format: nil,
            acceptableFormats: formats, thumbnails: false))
        #expect(meme.image.facts.format == format)
      }
    }
  }

  @Test func `errors name too many frames and too many pixels`() async throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    var few = PictureLimits(pixels: 64 * 48 * 5)
    few.frames = 4
    for (limits, code) in [
      (few, "too-many-frames"), (PictureLimits(pixels: 64 * 48 * 5 - 1), "too-many-pixels"),
    ] {
      try await withRenderer(limits: limits) { renderer in
        for format in [OutputFormat?.none, .jpeg] {
          let order = try order(file, format: format)
          await #expect { _ = try await renderer.render(order) } throws: { error in
            guard case MemeError.invalid("image", let value)? = error as? MemeError else {
              return false
            }
            return value.code == code
          }
        }
      }
    }
    few.frames = 5
    try await withRenderer(limits: few) { _ = try await $0.render(try order(file)) }
  }

  @Test func `a cancellation between two frames ends the render`() throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    let ticket = RenderTicket(deadline: .now + .seconds(3600))
    let worker = RenderWorker(shelf: PreviewCache(capacityBytes: 1 << 20))
    let pipeline = RenderPipeline(
      order: try order(file), limits: PictureLimits(pixels: 100_000),
      worker: worker, ticket: ticket)
    let header = try header(file)
    _ = try pipeline.drawMoving(file, header, as: .gif, [])
    ticket.cancel()
    #expect(throws: MemeError.self) { _ = try pipeline.drawMoving(file, header, as: .gif, []) }
  }
}
