/// How much of each pixel a shape covers, 0 to 255. Nothing is covered outside of the mask.
struct GlyphMask {
  let pixels: UnsafePointer<UInt8>
  let width: Int
  let height: Int
  let bytesPerRow: Int

  /// Less is outside of the shape.
  private static let half: UInt8 = 128

  /// An edge between a pixel outside of the shape and its neighbor inside, with the inside to the right.
  private struct Step: Equatable {
    var (x, y): (Int, Int)
    /// From the pixel outside, which is at `x` and `y`, to the one inside.
    var (right, down): (Int, Int)
  }

  /// The contours of the shape, with the shape to the right of each edge, in pixels from the middle of the first.
  ///
  /// Each contour goes around pixels that touch, also at a corner. Its corners are where the coverage between two
  /// pixels is one half.
  func contours() -> [[SIMD2<Double>]] {
    var contours: [[SIMD2<Double>]] = []
    // The places of the steps to the right. Every contour has some.
    var traced: Set<Int> = []
    for y in 0..<height {
      let row = pixels + y * bytesPerRow
      var before: UInt8 = 0
      var x = 0
      // A loop over a range would be many times slower in a build for debugging.
      while x < width {
        let pixel = row[x]
        if before < Self.half, pixel >= Self.half, !traced.contains(place(x - 1, y)) {
          contours.append(contour(from: Step(x: x - 1, y: y, right: 1, down: 0), &traced))
        }
        before = pixel
        x += 1
      }
    }
    return contours
  }

  private func contour(from first: Step, _ traced: inout Set<Int>) -> [SIMD2<Double>] {
    var corners: [SIMD2<Double>] = []
    var step = first
    repeat {
      if step.right == 1 { traced.insert(place(step.x, step.y)) }
      corners.append(corner(of: step))
      step = self.step(after: step)
    } while step != first
    return corners
  }

  private func step(after step: Step) -> Step {
    let (right, down) = (step.right, step.down)
    // Ahead of both pixels.
    let (x, y) = (step.x + down, step.y - right)
    if isInside(x, y) { return Step(x: step.x, y: step.y, right: down, down: -right) }
    if isInside(x + right, y + down) { return Step(x: x, y: y, right: right, down: down) }
    return Step(x: x + right, y: y + down, right: -down, down: right)
  }

  private func corner(of step: Step) -> SIMD2<Double> {
    let outside = Double(coverage(step.x, step.y))
    let inside = Double(coverage(step.x + step.right, step.y + step.down))
    let share = (Double(Self.half) - 0.5 - outside) / (inside - outside)
    return SIMD2(
      Double(step.x) + share * Double(step.right), Double(step.y) + share * Double(step.down))
  }

  private func place(_ x: Int, _ y: Int) -> Int { y * (width + 1) + x }

  private func isInside(_ x: Int, _ y: Int) -> Bool { coverage(x, y) >= Self.half }

  private func coverage(_ x: Int, _ y: Int) -> UInt8 {
    guard x >= 0, y >= 0, x < width, y < height else { return 0 }
    return pixels[y * bytesPerRow + x]
  }
}
