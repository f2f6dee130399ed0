import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import DrawingHelper
@testable import Rendering

/// Memes with pictures in boxes.
struct BoxedPictureTests {
  private func solid(_ width: Int, _ height: Int, _ red: UInt8, _ green: UInt8) throws -> Bytes {
    let buffer = PixelBuffer()
    buffer.fill(width: width, height: height, with: InkColor(red: red, green: green, blue: 0))
    return try PictureEncoder.png(buffer)
  }

  private func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fit: PictureBox.Fit = .cover
  ) throws -> PictureBox {
    PictureBox(
      place: try #require(CaptionBox.Place(x: x, y: y, width: width, height: height)), fit: fit)
  }

  private func order(
    on picture: Bytes, _ boxes: [PictureBox], _ files: [BoxSource],
    layout: CaptionLayout = .overlay,
    format: OutputFormat? = .png
  ) throws -> RenderOrder {
    var recipe = Recipe()
    (recipe.pictures, recipe.layout) = (boxes, layout)
    if layout == .bar { recipe.top = try CaptionText("x") }
    var order = try RenderingTests.order(picture, recipe, format: format)
    order.boxed = files
    return order
  }

  private func colour(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    let start = picture.bytesPerRow * y + picture.channels * x
    return Array(picture.pixels[start..<start + 3])
  }

  @Test func `later pictures cover earlier ones`() async throws {
    let (red, green) = (try solid(10, 10, 255, 0), try solid(10, 10, 0, 255))
    let order = try order(
      on: try solid(100, 80, 0, 0), [try box(0, 0, 0.5, 0.5), try box(0.25, 0.25, 0.5, 0.5)],
      [BoxSource { red }, BoxSource { green }])
    try await withRenderer { renderer in
      let meme = try await renderer.render(order)
      let picture = try decoded(meme.image.bytes)
      #expect(colour(picture, 10, 10) == [255, 0, 0])
      #expect(colour(picture, 30, 30) == [0, 255, 0])
      #expect(colour(picture, 60, 50) == [0, 255, 0])
      #expect(colour(picture, 90, 70) == [0, 0, 0])
      #expect(meme.boxed.map { $0 == nil } == [true, true])
      // The facts are those of the picture, not of all files.
      #expect(meme.original.byteCount == (try order.picture.bytes().count))
    }
  }

  @Test func `a box is on the picture, not on its bars`() async throws {
    let green = try solid(10, 10, 0, 255)
    let order = try order(
      on: try solid(200, 100, 255, 0), [try box(0, 0, 1, 0.5)], [BoxSource { green }], layout: .bar)
    try await withRenderer { renderer in
      let picture = try decoded(try await renderer.render(order).image.bytes)
      let bar = picture.height - 100
      #expect(bar > 10)
      #expect(colour(picture, 1, bar - 2) == [255, 255, 255])
      #expect(colour(picture, 1, bar + 1) == [0, 255, 0])
      #expect(colour(picture, 1, bar + 48) == [0, 255, 0])
      #expect(colour(picture, 1, bar + 52) == [255, 0, 0])
    }
  }

  @Test func `in an animation, a rotated box does not cover the bars`() async throws {
    let green = try solid(10, 10, 0, 255)
    let place = try #require(CaptionBox.Place(x: 0, y: 0.2, width: 1, height: 0.6))
    let order = try order(
      on: Bytes(try Fixture.moving.bytes), [PictureBox(place: place, rotation: 90, fit: .cover)],
      [BoxSource { green }], layout: .bar, format: .gif)
    try await withRenderer { renderer in
      let first = try decoded(try await renderer.render(order).image.bytes)
      let bar = first.height - 80
      #expect(bar > 4)
      for x in stride(from: 0, to: first.width, by: 3) {
        #expect(colour(first, x, bar - 2) != [0, 255, 0], "\(x)")
      }
      #expect(colour(first, first.width / 2, bar + 1) == [0, 255, 0])
    }
  }

  @Test func `every frame of an animation has the picture`() async throws {
    let green = try solid(10, 10, 0, 255)
    for layout in CaptionLayout.allCases {
      let order = try order(
        on: Bytes(try Fixture.moving.bytes), [try box(0, 0, 0.5, 0.5)], [BoxSource { green }],
        layout: layout, format: .gif)
      try await withRenderer { renderer in
        let file = try await renderer.render(order).image.bytes
        let header = try PictureHeader(of: file, maximumPixels: 1_000_000)
        #expect(header.frames == 3)
        let first = try decoded(file)
        let bar = first.height - 80
        #expect(colour(first, 2, bar + 2) == [0, 255, 0])
        #expect(colour(first, 2, bar + 37) == [0, 255, 0])
        #expect(colour(first, 2, bar + 43) != [0, 255, 0])
      }
    }
  }

  @Test func `a small picture does not give back the memory that the meme needs`() throws {
    let (sticker, moving) = (try solid(10, 10, 0, 255), Bytes(try MovingFixture.whole.bytes))
    let still = try solid(4000, 4000, 255, 0)
    for (file, format) in [(moving, OutputFormat.webp), (still, .avif), (still, .png)] {
      let order = try order(
        on: file, [try box(0, 0, 0.1, 0.1), try box(0.5, 0, 0.1, 0.1)],
        [BoxSource { sticker }, BoxSource(isCopied: true) { sticker }], format: format)
      let asked = Asked()
      let ticket = RenderTicket(deadline: .now + .seconds(3600)) { need in
        asked.bytes.append(need.bytes)
        if asked.bytes.count == 4 { throw MemeError.renderTimeout }
      }
      let pipeline = RenderPipeline(
        order: order, limits: PictureLimits(pixels: 20_000_000),
        worker: RenderWorker(shelf: PreviewCache(capacityBytes: 0)), ticket: ticket)
      _ = try? pipeline.run()
      #expect(asked.bytes == asked.bytes.sorted(), "\(format)")
    }
  }

  /// The memory that a job has asked for. Used on one thread.
  private final class Asked: @unchecked Sendable {
    var bytes: [Int] = []
  }

  @Test func `copies that are too large together are rejected before anything is drawn`()
    async throws
  {
    // Noise, which no compression makes smaller.
    var random = SeededRandom(7)
    let buffer = PixelBuffer()
    buffer.reshape(width: 2400, height: 2400, channels: 3)
    for index in buffer.pixels.indices {
      buffer.pixels[index] = UInt8.random(in: 0...255, using: &random)
    }
    let noise = try PictureEncoder.png(buffer)
    try #require(
      noise.count * 2 > BoxedPicture.maximumBytes && noise.count < BoxedPicture.maximumBytes)
    let order = try order(
      on: try solid(10, 10, 0, 0), [try box(0, 0, 1, 1), try box(0, 0, 1, 1)],
      [BoxSource(isCopied: true) { noise }, BoxSource(isCopied: true) { noise }])
    try await withRenderer(limits: PictureLimits(pixels: 10_000_000)) { renderer in
      await #expect {
        _ = try await renderer.render(order)
      } throws: { error in
        guard case MemeError.invalid("pictures[1]", let value) = error else { return false }
        return value.code == "too-large"
      }
    }
  }

  @Test func `the first frame of an animation is drawn in a box`() async throws {
    let moving = Bytes(try Fixture.moving.bytes)
    let order = try order(
      on: try solid(100, 80, 255, 0), [try box(0, 0, 1, 1)], [BoxSource { moving }])
    try await withRenderer { renderer in
      let (drawn, first) = (
        try decoded(try await renderer.render(order).image.bytes), try decoded(moving)
      )
      #expect(Array(drawn.pixels) == Array(first.pixels))
    }
  }

  @Test func `a copied picture is drawn as it is stored`() async throws {
    let file = Bytes(TellingPicture.jpeg(try Fixture.photo.bytes, orientation: 6))
    let (below, place) = (try solid(300, 300, 0, 0), try box(0.1, 0.1, 0.6, 0.8, fit: .contain))
    try await withRenderer { renderer in
      let made = try await renderer.render(
        try order(on: below, [place], [BoxSource(isCopied: true) { file }]))
      let copies = made.boxed.compactMap(\.self)
      let copy = try #require(copies.first)
      #expect(copy.facts.size == PixelSize(width: 480, height: 640))
      let text = copy.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      #expect(!TellingPicture.secrets.contains { text.contains($0) })
      let again = try await renderer.render(
        try order(on: below, [place], [BoxSource { copy.bytes }]))
      #expect(again.image.bytes == made.image.bytes)
    }
  }

  @Test func `a broken picture in a box is named by its index`() async throws {
    let (good, broken) = (try solid(9, 9, 1, 1), Bytes(Array(try Fixture.photo.bytes.prefix(9000))))
    for isCopied in [true, false] {
      let order = try order(
        on: good, [try box(0, 0, 1, 1), try box(0, 0, 1, 1)],
        [BoxSource { good }, BoxSource(isCopied: isCopied) { broken }])
      try await withRenderer { renderer in
        await #expect {
          _ = try await renderer.render(order)
        } throws: { error in
          guard case MemeError.invalid("pictures[1]", let value) = error else { return false }
          return value.code == "broken-picture"
        }
      }
    }
  }
}
