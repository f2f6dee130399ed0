import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import DrawingHelper
@testable import Rendering

/// The public copy of a picture: its quality and its size.
struct CopyTests {
  /// The copy of a picture from which another user's meme begins.
  private func copy(
    _ file: Bytes, crop: Crop? = nil, by renderer: PooledRenderer
  ) async throws -> (file: Bytes, facts: PictureFacts) {
    let kept = StoredSource(
      facts: PictureFacts(
        size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: 1, digest: testDigest(file))
    ) { file }
    let meme = try await renderer.render(
      RenderOrder(
        picture: .copied(kept, crop: crop), recipe: Recipe(), maxEdge: try MaxEdge(pixels: 64),
        format: .png, thumbnails: false))
    let copy = try #require(meme.copy)
    #expect(meme.original.digest == testDigest(copy))
    #expect(meme.original.byteCount == copy.count)
    return (copy, meme.original)
  }

  /// The largest and the mean difference between the pixels of two pictures.
  private func difference(_ left: PixelBuffer, _ right: PixelBuffer) throws -> (Int, Double) {
    try #require(
      (left.width, left.height, left.channels) == (right.width, right.height, right.channels))
    let differences = zip(left.pixels, right.pixels).map { abs(Int($0) - Int($1)) }
    let sum = differences.reduce(0, +)
    return (differences.max() ?? 0, Double(sum) / Double(differences.count))
  }

  @Test(arguments: [Fixture.photo, .progressive, .cmyk, .webp])
  func `the copy of a photo loses hardly any quality`(picture: Fixture) async throws {
    let file = Bytes(try picture.bytes)
    try await withRenderer { renderer in
      let copy = try await copy(file, by: renderer)
      #expect(copy.facts.format == .jpeg)
      let (worst, mean) = try difference(decoded(copy.file), decoded(file))
      #expect(worst <= 12)
      #expect(mean < 1)
    }
  }

  @Test(arguments: [Fixture.transparent, .transparentWebP, .opaqueAlpha])
  func `the copy of a lossless picture is exact`(picture: Fixture) async throws {
    let file = Bytes(try picture.bytes)
    try await withRenderer { renderer in
      let copy = try await copy(file, by: renderer)
      #expect(copy.facts.format == .png)
      #expect(try difference(decoded(copy.file), decoded(file)) == (0, 0))
    }
  }

  @Test func `a copy has the colors of a color-managed reader, without the profile`() async throws {
    for fixture in try ColourFixture.all {
      try await withRenderer { renderer in
        let file = Bytes(try fixture.bytes)
        let copy = try await copy(file, by: renderer)
        let (worst, _) = try difference(decoded(copy.file), decoded(file))
        #expect(worst <= 16, "\(fixture)")
        #expect(!copy.file.withUnsafeBytes { Array($0).contains(Array("acsp".utf8)) }, "\(fixture)")
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt8>)
  func `a crop is cut from the upright picture`(orientation: UInt8) async throws {
    let file = Bytes(TellingPicture.jpeg(try Fixture.photo.bytes, orientation: orientation))
    let crop = try Crop(x: 30, y: 50, width: 200, height: 120)
    try await withRenderer { renderer in
      let copy = try await copy(file, crop: crop, by: renderer)
      #expect(copy.facts.size == PixelSize(width: 200, height: 120))
      let whole = try decoded(file)
      let wanted = PixelBuffer()
      wanted.reshape(width: 200, height: 120, channels: 3)
      for row in 0..<120 {
        let start = (50 + row) * whole.bytesPerRow + 90
        for column in 0..<600 {
          wanted.pixels[600 * row + column] = whole.pixels[start + column]
        }
      }
      let (worst, mean) = try difference(decoded(copy.file), wanted)
      #expect(worst <= 12)
      #expect(mean < 1)
    }
  }

  @Test(arguments: [MovingFixture.whole, .once, .patches, .wholeWebP, .seeThroughWebP])
  func `the copy of a moving picture keeps its frames`(picture: MovingFixture) async throws {
    let file = Bytes(try picture.bytes)
    try await withRenderer { renderer in
      let copy = try await copy(file, by: renderer)
      let (before, after) = try (header(file), header(copy.file))
      #expect(after.kind == before.kind && after.frames == before.frames)
      #expect((after.width, after.height) == (before.width, before.height))
      #expect(copy.facts.size == PixelSize(width: 64, height: 48))
    }
  }

  private func header(_ file: Bytes) throws -> PictureHeader {
    try PictureHeader(of: file, maximumPixels: 1_000_000)
  }

  @Test(arguments: [
    (4096, 4096, 4096), (4000, 3000, 4000), (1000, 12_000, 12_000), (8000, 6000, 4729),
    (12_000, 9000, 4729), (65_500, 1, 65_500), (1, 1, 1),
  ])
  func `a copy has a limited number of pixels, whatever its shape`(
    width: Int, height: Int, edge: Int
  ) {
    let whole = PixelSize(width: width, height: height)
    #expect(whole.longestEdge(withinPixels: CopyPipeline.maximumPixels) == edge)
    let size = PixelBuffer.size(fitting: edge, width: width, height: height)
    #expect(size.width * size.height <= CopyPipeline.maximumPixels + edge)
  }
}
