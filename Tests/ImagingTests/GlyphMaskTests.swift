import Testing

@testable import Imaging

/// The contours of shapes that are known as pixels.
struct GlyphMaskTests {
  private func contours(_ rows: [[UInt8]]) throws -> [[SIMD2<Double>]] {
    let width = rows.first?.count ?? 0
    return try rows.flatMap { $0 }.withUnsafeBufferPointer { pixels in
      let start = try #require(pixels.baseAddress)
      return GlyphMask(pixels: start, width: width, height: rows.count, bytesPerRow: width)
        .contours()
    }
  }

  /// Twice the area; positive if the contour turns clockwise.
  private func area(_ contour: [SIMD2<Double>]) -> Double {
    zip(contour, contour.dropFirst() + contour.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.0.y * $1.1.x
    }
  }

  @Test func `a contour is where half of a pixel is covered`() throws {
    let contour = try #require(try contours([[0, 0, 0], [51, 255, 0], [0, 0, 0]]).first)
    let expected: Set<SIMD2<Double>> = [[1.5, 1], [1, 1.5], [1, 0.5], [0.375, 1]]
    #expect(contour.count == 4)
    for corner in expected {
      #expect(contour.contains { abs($0.x - corner.x) + abs($0.y - corner.y) < 0.01 }, "\(corner)")
    }
  }

  @Test func `contours turn clockwise, and those of holes the other way`() throws {
    let ring: [[UInt8]] = [
      [255, 255, 255, 255], [255, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0], [255, 0, 0, 255],
    ]
    let areas = try contours(ring).map(area)
    #expect(areas.map { $0 > 0 } == [true, false, true, true])
  }

  @Test func `pixels that touch at a corner have one contour`() throws {
    #expect(try contours([[255, 0], [0, 255]]).count == 1)
    #expect(try contours([[0, 255], [255, 0]]).count == 1)
    #expect(try contours([[0, 127], [0, 0]]).isEmpty)
  }
}
