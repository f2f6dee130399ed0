import CPangoCairo
import Foundation
import Support
import Testing

@testable import Imaging

struct PathOffsetTests {
  private typealias Polygon = [SIMD2<Double>]
  private static let side = 200

  private func widened(
    _ polygons: [Polygon], by distance: Double, _ join: PathOffset.Join = .round
  ) throws -> [UInt8] {
    let picture = PixelBuffer()
    try picture.clear(width: Self.side, height: Self.side)
    let (raster, contours) = (InkRaster(), GlyphContours(polygons))
    // As the painter of captions does.
    for distance in contours.areCrossing ? [distance, 0] : [distance] {
      let offset = PathOffset(distance: distance, join: join)
      for polygon in offset.polygons(around: contours) { raster.add(polygon) }
      raster.fill(.black, on: picture)
    }
    let bytes = Array(picture.pixels)
    return (0..<Self.side * Self.side).map { bytes[4 * $0 + 3] }
  }

  /// Draws on transparent pixels, and returns the alpha of each, row by row.
  private func shares(
    width: Int, height: Int, _ draw: (OpaquePointer) -> Void
  ) throws -> [UInt8] {
    let surface = try #require(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)))
    defer { cairo_surface_destroy(surface) }
    let cairo = try #require(cairo_create(surface))
    defer { cairo_destroy(cairo) }
    draw(cairo)
    cairo_surface_flush(surface)
    let pixels = try #require(cairo_image_surface_get_data(surface))
    let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
    return (0..<height).flatMap { row in
      (0..<width).map { pixels[row * bytesPerRow + 4 * $0 + 3] }
    }
  }

  /// Filled and stroked by Cairo.
  private func expected(
    _ polygons: [Polygon], _ distance: Double, _ join: PathOffset.Join
  ) throws -> [UInt8] {
    try shares(width: Self.side, height: Self.side) { cairo in
      for polygon in polygons {
        cairo_new_sub_path(cairo)
        for corner in polygon { cairo_line_to(cairo, corner.x, corner.y) }
        cairo_close_path(cairo)
      }
      cairo_fill_preserve(cairo)
      cairo_set_line_width(cairo, 2 * distance)
      switch join {
      case .round: cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
      case .miter(let limit):
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER)
        cairo_set_miter_limit(cairo, limit)
      }
      cairo_stroke(cairo)
    }
  }

  /// The mean difference, and the number of pixels that differ by a quarter or more.
  private func compare(
    _ polygons: [Polygon], _ distance: Double, _ join: PathOffset.Join = .round
  ) throws -> (mean: Double, different: Int) {
    let ours = try widened(polygons, by: distance, join)
    let theirs = try expected(polygons, distance, join)
    let differences = zip(ours, theirs).map { abs(Int($0) - Int($1)) }
    return (
      Double(differences.reduce(0, +)) / Double(differences.count), differences.count { $0 >= 64 }
    )
  }

  private func circle(
    _ radius: Double, corners: Int, at center: SIMD2<Double> = SIMD2(100, 100)
  ) -> Polygon {
    (0..<corners).map { index in
      let angle = 2 * .pi * Double(index) / Double(corners)
      return center + radius * SIMD2(cos(angle), sin(angle))
    }
  }

  @Test(arguments: [0.5, 2, 5.5, 20])
  func `letters are widened as by a pen of Cairo`(distance: Double) throws {
    var random = SeededRandom(1)
    for attempt in 0..<10 {
      func star(_ radii: Range<Double>) -> Polygon {
        circle(1, corners: 9, at: SIMD2()).map {
          SIMD2(100, 100) + $0 * Double.random(in: radii, using: &random)
        }
      }
      let letter = [star(40..<75), Array(star(5..<35).reversed())]
      for turned in [letter, letter.map { Array($0.reversed()) }] {
        for join in [PathOffset.Join.round, .miter(limit: 1.5)] {
          let difference = try compare(turned, distance, join)
          // Where edges cross within a pixel, their shares are added, but Cairo samples both together.
          #expect(difference.different <= 40, "\(join), attempt \(attempt)")
          #expect(difference.mean < 0.6, "\(join), attempt \(attempt)")
        }
      }
    }
  }

  @Test(arguments: [2.0, 6, 15, 50])
  func `a round counter is closed if it is smaller than the offset`(radius: Double) throws {
    for corners in [8, 24, 90] {
      let ring = [circle(80, corners: 90), Array(circle(radius, corners: corners).reversed())]
      let difference = try compare(ring, 6)
      #expect(difference.mean < 0.3, "\(corners) corners")
      #expect(difference.different <= 8, "\(corners) corners")
      let middle = try widened(ring, by: 6)[100 * Self.side + 100]
      #expect((middle == 255) == (radius <= 6), "\(corners) corners")
    }
  }

  @Test func `parts of a letter are widened outwards, whatever their direction is`() throws {
    let (body, counter) = (circle(60, corners: 40), circle(30, corners: 40))
    let (island, dot) = (circle(10, corners: 40), circle(12, corners: 40, at: SIMD2(30, 170)))
    // Only the counter must turn the other way, or it would be filled.
    for letter in [
      [body, counter.reversed(), island, dot], [dot, body, island, counter.reversed()],
      [body, counter.reversed(), island, dot.reversed()],
      [body.reversed(), counter, island.reversed(), dot],
      // A ring of another direction than the rest, as in a percent sign.
      [body, circle(25, corners: 40, at: SIMD2(30, 170)).reversed(), dot],
    ] {
      #expect(!GlyphContours(letter).areCrossing)
      let difference = try compare(letter, 4)
      #expect(difference.different == 0)
      #expect(difference.mean < 0.1)
    }
  }

  @Test func `polygons without an area, and edges that turn back, have round ends`() throws {
    let none = [UInt8](repeating: 0, count: Self.side * Self.side)
    for polygon: Polygon in [[], [SIMD2(3, 3)], [SIMD2(3, 3), SIMD2(3, 3)]] {
      #expect(try widened([polygon], by: 2) == none)
    }
    let line = try widened([[SIMD2(5, 10), SIMD2(5, 10), SIMD2(15, 10)]], by: 2)
    func share(_ column: Int, _ row: Int) -> UInt8 { line[row * Self.side + column] }
    #expect(share(10, 10) == 255 && share(3, 10) > 200 && share(16, 10) > 200)
    #expect(share(2, 10) == 0 && share(17, 10) == 0 && share(10, 13) == 0)
  }

  @Test func `letters whose contours cross are widened on both sides`() throws {
    // Its right half turns the other way. And a star whose middle is surrounded twice.
    let eight = [SIMD2(40.0, 60), SIMD2(160, 140), SIMD2(160, 60), SIMD2(40, 140)]
    let points = circle(60, corners: 5)
    let star = [0, 2, 4, 1, 3].map { points[$0] }
    let counter = circle(8, corners: 9, at: SIMD2(60, 100))
    let bar = [SIMD2(90.0, 10), SIMD2(90, 190), SIMD2(110, 190), SIMD2(110, 10)]
    for letter in [
      [eight], [star], [eight, counter], [eight, counter.reversed()],
      // A bar through a ring, in the opposite direction.
      [circle(60, corners: 40), circle(30, corners: 40).reversed(), bar],
    ] {
      #expect(GlyphContours(letter).areCrossing)
      let difference = try compare(letter, 4)
      #expect(difference.mean < 0.1)
      #expect(difference.different <= 8)
    }
    let open = try [counter, counter.reversed()].map {
      try widened([eight, $0], by: 4)[100 * Self.side + 60]
    }
    #expect(open.sorted() == [0, 255])
  }
}
