import Bytes
import Eventually
import Foundation
import Imaging
import Memes
import Metrics
import Support
import Synchronization
import Testing

@testable import DrawingHelper
@testable import Rendering

/// Previews of stored pictures: the reads of the file, and the results.
struct PreviewCacheTests {
  /// A stored picture that counts its reads.
  private final class Kept: Sendable {
    let file: Bytes
    private let count = Mutex(0)

    init(_ file: Bytes) { self.file = file }

    var reads: Int { count.withLock { $0 } }

    func order(
      _ top: String, edge: Int = 64, format: OutputFormat? = .png, thumbnails: Bool = false,
      _ change: (inout Recipe) -> Void = { _ in }
    ) throws -> RenderOrder {
      let header = try PictureHeader(of: file, maximumPixels: 100_000_000)
      let facts = PictureFacts(
        size: PixelSize(width: header.width, height: header.height),
        format: PictureFormat(header.kind), byteCount: file.count, digest: testDigest(file))
      let picture = StoredSource(facts: facts) { [self] in
        count.withLock { $0 += 1 }
        return file
      }
      var recipe = Recipe()
      recipe.top = try CaptionText(top)
      change(&recipe)
      return RenderOrder(
        picture: .kept(picture), recipe: recipe, maxEdge: try MaxEdge(pixels: edge),
        format: format, thumbnails: thumbnails)
    }
  }

  @Test(arguments: [Fixture.photo, .cmyk, .transparent, .transparentWebP, .opaqueAlpha])
  func `only the first preview reads the file, and all equal plain renders`(
    picture: Fixture
  ) async throws {
    let file = Bytes(try picture.bytes)
    try await withRenderer { renderer in
      let kept = Kept(file)
      for top in ["one", "one does", "", "one does not"] {
        let preview = try await renderer.render(kept.order(top))
        let plain = try await renderer.render(
          order(file, top: top, bottom: "", maxEdge: 64, format: .png, thumbnails: false))
        let (left, right) = (try decoded(preview.image.bytes), try decoded(plain.image.bytes))
        #expect(
          (left.width, left.height, left.channels) == (right.width, right.height, right.channels))
        #expect(left.pixels.elementsEqual(right.pixels))
        #expect(preview.original == plain.original)
        #expect(preview.fit == plain.fit)
      }
      #expect(kept.reads == 1)
    }
  }

  @Test func `another size reads the file again, and so does a stored meme`() async throws {
    try await withRenderer { renderer in
      let kept = Kept(Bytes(try Fixture.photo.bytes))
      for (edge, reads) in [(64, 1), (65, 2), (64, 2), (65, 2)] {
        let preview = try await renderer.render(kept.order("x", edge: edge))
        #expect(preview.image.facts.size.width == edge)
        #expect(kept.reads == reads)
      }
      let meme = try await renderer.render(kept.order("x", thumbnails: true))
      #expect(meme.thumbnails != nil)
      #expect(kept.reads == 3)
    }
  }

  @Test func `bars and captions use the cached picture, and each crop is cached separately`()
    async throws
  {
    let file = Bytes(try Fixture.photo.bytes)
    let crop = try Crop(x: 10, y: 20, width: 30, height: 40)
    let looks: [(inout Recipe) -> Void] = [
      { $0.crop = crop }, { ($0.crop, $0.bottom) = (crop, $0.top) }, { $0.layout = .bar },
      { $0.layout = .bar }, { ($0.layout, $0.crop) = (.bar, crop) },
    ]
    try await withRenderer { renderer in
      let kept = Kept(file)
      for (look, reads) in zip(looks, [1, 1, 2, 2, 3]) {
        let preview = try await renderer.render(kept.order("one does not", edge: 25, look))
        var recipe = Recipe()
        recipe.top = try CaptionText("one does not")
        look(&recipe)
        let plain = try await renderer.render(order(file, recipe, maxEdge: 25, format: .png))
        #expect(preview.image.bytes == plain.image.bytes)
        #expect(preview.fit == plain.fit)
        #expect(kept.reads == reads)
      }
    }
  }

  @Test func `the error for a crop outside of a cached picture has the true size`() async throws {
    try await withRenderer { renderer in
      let kept = Kept(Bytes(try Fixture.photo.bytes))
      _ = try await renderer.render(kept.order("x"))
      let crop = try Crop(x: 600, y: 0, width: 41, height: 1)
      let refused = await #expect(throws: MemeError.self) {
        _ = try await renderer.render(kept.order("x") { $0.crop = crop })
      }
      guard case .invalid("crop", let value) = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
      #expect(value.code == "out-of-range")
      #expect(value.message.contains("640 × 480"))
      #expect(kept.reads == 1)
    }
  }

  @Test func `a moving picture is read each time, even for a still`() async throws {
    try await withRenderer { renderer in
      let kept = Kept(Bytes(try MovingFixture.whole.bytes))
      for (reads, format) in [OutputFormat.png, .gif, .png, .gif].enumerated() {
        let preview = try await renderer.render(kept.order("x", format: format))
        #expect(preview.image.facts.format == PictureFormat(format))
        #expect(kept.reads == reads + 1)
      }
    }
  }

  private func pixels(_ edge: Int) throws -> PixelCopy {
    let buffer = PixelBuffer()
    buffer.reshape(width: edge, height: edge, channels: 4)
    buffer.pixels.initializeMemory(as: UInt8.self, repeating: 0)
    return try #require(buffer.copy())
  }

  private func key(_ number: UInt8) -> PreviewCache.Key {
    PreviewCache.Key(digest: Digest { $0[0] = number }, crop: nil, edge: 1)
  }

  @Test func `the least recently used picture is evicted`() throws {
    // Each picture takes 256 KiB.
    let shelf = PreviewCache(capacityBytes: 1 << 20)
    for number in 0..<4 as Range<UInt8> { shelf.put(try pixels(256), key(number)) }
    #expect(shelf.bytes == 1 << 20)
    #expect(shelf.take(key(0)) != nil)
    shelf.put(try pixels(256), key(4))
    #expect(shelf.bytes == 1 << 20)
    #expect((0..<5).map { shelf.take(key($0)) != nil } == [true, false, true, true, true])
    // The same picture again takes no second place.
    shelf.put(try pixels(256), key(4))
    #expect(shelf.bytes == 1 << 20)
  }

  @Test func `oversized pictures are not kept, and small ones are limited in number`() throws {
    let shelf = PreviewCache(capacityBytes: 1 << 20)
    shelf.put(try pixels(363), key(0))
    #expect(shelf.bytes == 0)
    for number in 0..<100 as Range<UInt8> { shelf.put(try pixels(1), key(number)) }
    #expect((0..<100).count { shelf.take(key($0)) != nil } == 16)
  }

  @Test func `only pictures that were unused for a while are removed`() async throws {
    let shelf = PreviewCache(capacityBytes: 1 << 20)
    shelf.put(try pixels(256), key(0))
    shelf.put(try pixels(256), key(1))
    try await Task.sleep(for: .milliseconds(50))
    #expect(shelf.take(key(1)) != nil)
    shelf.clear(unusedFor: .milliseconds(50))
    #expect(shelf.take(key(0)) == nil)
    #expect(shelf.take(key(1)) != nil)
    #expect(shelf.bytes == 256 << 10)
  }

  @Test func `a resting worker frees its pixels`() {
    let worker = RenderWorker(shelf: PreviewCache(capacityBytes: 0))
    worker.picture.reshape(width: 100, height: 100, channels: 3)
    worker.rest(after: .zero)
    #expect(worker.picture.keptBytes == 0)
  }

  @Test func `a preview goes to the worker that has its picture`() async throws {
    let pool = Self.pool(restAfterSeconds: 3600)
    let renderer = PooledRenderer(
      pool: pool, limits: PictureLimits(pixels: 1_000_000), digest: testDigest)
    let kept = Kept(Bytes(try Fixture.photo.bytes))
    for _ in 0..<4 { _ = try await renderer.render(kept.order("x")) }
    #expect(kept.reads == 1)
    #expect(pool.meter.previewsFromMemory.value == 3)
    await pool.stop()
  }

  private static func pool(restAfterSeconds: Double) -> RenderPool {
    var settings = RendererSettings(workers: 2)
    settings.restAfterSeconds = restAfterSeconds
    return WorkerDrawer.pool(settings)
  }

  @Test func `resting workers leave nothing in the cache`() async throws {
    let pool = Self.pool(restAfterSeconds: 0.2)
    let renderer = PooledRenderer(
      pool: pool, limits: PictureLimits(pixels: 1_000_000), digest: testDigest)
    let kept = Kept(Bytes(try Fixture.photo.bytes))
    _ = try await renderer.render(kept.order("x"))
    let reads = kept.reads
    try await eventually("the cache is empty") { pool.shelfBytes == 0 }
    _ = try await renderer.render(kept.order("x"))
    #expect(kept.reads == reads + 1)
    await pool.stop()
  }
}
