import Bytes
import Memes
import Testing

/// The sizes that an address asks for.
struct LinkSizeTests {
  @Test(arguments: [
    // The picture is 3000 × 2000, and the server's limit is 2048.
    (nil, nil, 900, nil),
    (300, nil, 300, nil),
    (nil, 200, 300, nil),
    (300, 300, 300, PixelSize(width: 300, height: 300)),
    (100, 400, 100, PixelSize(width: 100, height: 400)),
    (4000, 4000, 2048, PixelSize(width: 2048, height: 2048)),
    // A canvas that is scaled down holds no larger picture than itself.
    (16_384, 2048, 384, PixelSize(width: 2048, height: 256)),
  ])
  func `the picture fits into its canvas`(
    width: Int?, height: Int?, longest: Int, canvas: PixelSize?
  ) throws {
    var options = MemeLinkOptions()
    (options.width, options.height) = (width, height)
    let limit = try MaxEdge(pixels: 2048)
    let recipe = try options.recipe(with: ["x"], on: ground(), within: limit)
    #expect(recipe.maxEdge?.pixels == longest)
    #expect(options.canvas(within: limit) == canvas)
  }

  @Test(
    arguments: [
      (nil, nil, PixelSize(width: 900, height: 2048)),
      (300, nil, PixelSize(width: 300, height: 2048)),
      (nil, 200, PixelSize(width: 2048, height: 200)),
      (12, nil, PixelSize(width: 12, height: 2048)),
      (100, 400, PixelSize(width: 100, height: 400)),
      (4000, 4000, PixelSize(width: 2048, height: 2048)),
    ] as [(Int?, Int?, PixelSize)])
  func `the size includes the bars`(width: Int?, height: Int?, size: PixelSize) throws {
    var options = MemeLinkOptions()
    (options.width, options.height, options.isTop) = (width, height, true)
    let limit = try MaxEdge(pixels: 2048)
    #expect(try options.sizeLimit(on: ground(), within: limit) == size)
    let recipe = try options.recipe(with: ["x"], on: ground(), within: limit)
    #expect(recipe.maxEdge == limit)
  }

  /// A picture with 3000 × 2000 pixels.
  private func ground() throws -> LinkGround {
    let facts = PictureFacts(
      size: PixelSize(width: 3000, height: 2000), format: .jpeg, byteCount: 1,
      digest: try #require(Digest([UInt8](repeating: 0, count: 32))))
    return LinkGround(Bytes(), facts)
  }
}
