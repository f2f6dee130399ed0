import Testing

@testable import Imaging

/// Pictures that are drawn into boxes of other pictures.
struct InlayTests {
  private static let (red, white) = (
    InkColor(red: 255, green: 0, blue: 0), InkColor(red: 255, green: 255, blue: 255)
  )

  private func drawn(
    _ width: Int, _ height: Int, in box: InkBox, _ fit: PictureInlay.Fit, rotation: Double = 0
  ) throws -> PixelBuffer {
    let (picture, target) = (PixelBuffer(), PixelBuffer())
    picture.fill(width: width, height: height, with: Self.red)
    target.fill(width: 100, height: 100, with: Self.white)
    try PictureInlay(box: box, fit: fit, rotation: rotation).draw(picture, on: target)
    return target
  }

  /// The bounds of the pixels that are entirely red.
  private func bounds(_ picture: PixelBuffer) -> [Int] {
    let places = (0..<100).flatMap { y in
      (0..<100).compactMap { picture.colour($0, y) == [255, 0, 0] ? ($0, y) : nil }
    }
    let (columns, rows) = (places.map(\.0), places.map(\.1))
    return [columns.min(), rows.min(), columns.max(), rows.max()].map { $0 ?? -1 }
  }

  private let box = InkBox(left: 10, top: 20, width: 60, height: 30)

  @Test func `contain shows the whole picture in the middle of the box`() throws {
    // Enlarged, reduced, and as it is.
    for (width, height) in [(10, 10), (90, 90), (30, 30)] {
      let picture = try drawn(width, height, in: box, .contain)
      #expect(bounds(picture) == [25, 20, 54, 49])
      // The edges are sharp.
      #expect(picture.colour(24, 30) == [255, 255, 255])
      #expect(picture.colour(55, 30) == [255, 255, 255])
    }
    #expect(bounds(try drawn(40, 10, in: box, .contain)) == [10, 27, 69, 41])
  }

  @Test func `cover fills the box and nothing else`() throws {
    for (width, height) in [(10, 10), (90, 90), (3, 200), (200, 3)] {
      let picture = try drawn(width, height, in: box, .cover)
      #expect(bounds(picture) == [10, 20, 69, 49])
      #expect(picture.colour(9, 30) == [255, 255, 255])
      #expect(picture.colour(30, 50) == [255, 255, 255])
    }
  }

  @Test func `the box rotates clockwise about its center`() throws {
    #expect(bounds(try drawn(60, 30, in: box, .cover, rotation: 90)) == [25, 5, 54, 64])
    let turned = try drawn(60, 30, in: box, .cover, rotation: 30)
    // The right end goes down.
    #expect(turned.colour(60, 47) == [255, 0, 0])
    #expect(turned.colour(60, 22) == [255, 255, 255])
  }

  @Test func `a box at the edge is cut off, and an empty one draws nothing`() throws {
    let outside = InkBox(left: 80, top: 80, width: 40, height: 40)
    #expect(bounds(try drawn(10, 10, in: outside, .cover)) == [80, 80, 99, 99])
    for (width, height) in [(0, 10), (10, 0)] {
      let empty = InkBox(left: 10, top: 10, width: width, height: height)
      #expect(bounds(try drawn(10, 10, in: empty, .contain)) == [-1, -1, -1, -1])
    }
  }

  @Test func `transparent pixels show what is below them`() throws {
    let (picture, target) = (PixelBuffer(), PixelBuffer())
    try picture.clear(width: 2, height: 2)
    // Green at half opacity, not premultiplied.
    for (channel, value) in [0, 200, 0, 128].enumerated() {
      for pixel in [0, 2] { picture.pixels[4 * pixel + channel] = UInt8(value) }
    }
    target.fill(width: 20, height: 20, with: Self.white)
    let box = InkBox(left: 0, top: 0, width: 20, height: 20)
    try PictureInlay(box: box, fit: .contain, rotation: 0).draw(picture, on: target)
    #expect(target.colour(1, 10) == [127, 227, 127])
    #expect(target.colour(18, 10) == [255, 255, 255])
  }

  @Test(arguments: [(1, 1_000_000), (1_000_000, 1), (16_384, 16_384)])
  func `no picture is decoded larger than it needs`(width: Int, height: Int) {
    for fit in [PictureInlay.Fit.contain, .cover] {
      let inlay = PictureInlay(box: box, fit: fit, rotation: 0)
      #expect((1...16_384).contains(inlay.decodedEdge(ofWidth: width, height: height)))
    }
    let contain = PictureInlay(box: box, fit: .contain, rotation: 0)
    #expect(contain.decodedEdge(ofWidth: width, height: height) <= 60)
  }
}
