import Foundation
import Support
import Testing

@testable import Imaging

struct InkRasterTests {
  private typealias Polygon = [SIMD2<Double>]

  private func filled(_ polygons: [Polygon], width: Int, height: Int) throws -> [UInt8] {
    let picture = PixelBuffer()
    try picture.clear(width: width, height: height)
    let raster = InkRaster()
    for polygon in polygons { raster.add(polygon) }
    raster.fill(InkColor(red: 10, green: 20, blue: 30), on: picture)
    let bytes = Array(picture.pixels)
    return (0..<width * height).map { bytes[4 * $0 + 3] }
  }

  private func rectangle(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double
  ) -> Polygon {
    [SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom)]
  }

  @Test func `a pixel gets the share that is covered`() throws {
    #expect(
      try filled([rectangle(1.25, 0.5, 3.5, 2)], width: 5, height: 3) == [
        0, 96, 128, 64, 0,
        0, 191, 255, 128, 0,
        0, 0, 0, 0, 0,
      ])
    // Both triangles of a square that is divided from corner to corner. Half of a pixel is 127.5.
    let half: Polygon = [SIMD2(0, 0), SIMD2(4, 0), SIMD2(0, 4)]
    let shares = try filled([half], width: 4, height: 4)
    #expect(
      shares == [
        255, 255, 255, 128,
        255, 255, 128, 0,
        255, 128, 0, 0,
        128, 0, 0, 0,
      ])
    let flat: Polygon = [SIMD2(0, 1), SIMD2(8, 0), SIMD2(8, 1)]
    // The share grows by an eighth from pixel to pixel, from a sixteenth.
    #expect(
      try filled([flat], width: 8, height: 1)
        == (0..<8).map { UInt8((255 * (Double($0) + 0.5) / 8).rounded()) })
  }

  @Test(arguments: [3, 4])
  func `color covers what is there`(channels: Int) throws {
    let picture = PixelBuffer()
    picture.reshape(width: 5, height: 1, channels: channels)
    for place in picture.pixels.indices { picture.pixels[place] = 255 }
    let raster = InkRaster()
    raster.add(rectangle(0, 0, 1, 0.5))
    raster.add(rectangle(1, 0, 5, 1))
    raster.fill(InkColor(red: 255, green: 0, blue: 100), on: picture)
    let opaque: [UInt8] = channels == 4 ? [255] : []
    // Half of a pixel is 128 of 255.
    let half: [UInt8] = [255, 127, 177] + opaque
    #expect(Array(picture.pixels) == half + (1..<5).flatMap { _ in [255, 0, 100] + opaque })
  }

  @Test func `color on transparent pixels keeps its value`() throws {
    let picture = PixelBuffer()
    try picture.clear(width: 3, height: 1)
    // The middle pixel is half white.
    for channel in 4..<8 { picture.pixels[channel] = channel == 7 ? 128 : 255 }
    let raster = InkRaster()
    raster.add(rectangle(0, 0, 3, 0.5))
    raster.fill(InkColor(red: 200, green: 0, blue: 100), on: picture)
    // In the middle, 128 parts of the color and 64 of white.
    #expect(
      Array(picture.pixels) == [200, 0, 100, 128, 218, 85, 152, 192, 200, 0, 100, 128])
  }

  @Test func `only pixels within the bounds change`() throws {
    let picture = TestPictures.plain(width: 20, height: 6, level: 9)
    let raster = InkRaster()
    raster.add(rectangle(-3, -3, 30.5, 30.5))
    let bounds = try #require(PixelBounds(touchedBy: (2.5, 1, 15, 4.2), of: picture))
    #expect(bounds.columns == 2..<15 && bounds.rows == 1..<5)
    raster.fill(.white, on: picture, within: bounds)
    let bytes = Array(picture.pixels)
    for row in 0..<6 {
      for column in 0..<20 {
        let isInside = bounds.rows.contains(row) && bounds.columns.contains(column)
        #expect(bytes[3 * (20 * row + column)] == (isInside ? 255 : 9))
      }
    }
    // Nothing is left for the next fill.
    raster.fill(.black, on: picture)
    #expect(Array(picture.pixels) == bytes)
  }

  @Test func `polygons cover once, in whichever direction they turn`() throws {
    let (outer, inner) = (rectangle(0, 0, 4, 4), rectangle(1, 1, 3, 3))
    let whole = [UInt8](repeating: 255, count: 16)
    #expect(try filled([outer, inner], width: 4, height: 4) == whole)
    #expect(try filled([outer.reversed(), inner.reversed()], width: 4, height: 4) == whole)
    let ring = try filled([outer, inner.reversed()], width: 4, height: 4)
    #expect(ring[0] == 255 && ring[5] == 0 && ring[10] == 0)
    // Without a seam where polygons share an edge.
    let seam: [Polygon] = [
      [SIMD2(0, 0), SIMD2(1.3, 0), SIMD2(2.7, 4), SIMD2(0, 4)],
      [SIMD2(1.3, 0), SIMD2(4, 0), SIMD2(4, 4), SIMD2(2.7, 4)],
    ]
    #expect(try filled(seam, width: 4, height: 4) == whole)
  }

  @Test func `parts outside of the image are cut off`() throws {
    var random = SeededRandom(1)
    for _ in 0..<200 {
      let polygon = (0..<5).map { _ in
        SIMD2(Double.random(in: -30..<70, using: &random), .random(in: -30..<70, using: &random))
      }
      let inside = try filled([polygon], width: 40, height: 40)
      let moved = try filled([polygon.map { $0 + SIMD2(30, 30) }], width: 100, height: 100)
      let part: [UInt8] = (30..<70).flatMap { row in moved[(row * 100 + 30)..<(row * 100 + 70)] }
      let difference = zip(inside, part).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(difference <= 1, "\(polygon)")
    }
    // Far wider than the sums that are kept.
    #expect(
      try filled([rectangle(-25_000, 0, 25_000, 1)], width: 3, height: 2) == [
        255, 255, 255, 0, 0, 0,
      ])
    for corner in [
      SIMD2(1e9, 1), SIMD2(-1e9, 1), SIMD2(1, 1e9), SIMD2(.nan, 1), SIMD2(.infinity, 1),
    ] {
      let far: Polygon = [SIMD2(0, 0), corner, SIMD2(2, 2)]
      #expect(try filled([far], width: 2, height: 2) == [0, 0, 0, 0], "\(corner)")
    }
  }
}
