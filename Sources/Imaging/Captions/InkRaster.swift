import CPangoCairo

/// Fills polygons with the exact share of each pixel that they cover.
///
/// Each edge adds to the pixels that it crosses by how much the share changes there. The sums from left to right are
/// the shares. The edges need no order, so polygons that overlap or cross themselves, as those of a ``PathOffset`` do,
/// cost no more than others. Use a raster on one thread only.
final class InkRaster {
  private var corners: [SIMD2<Double>] = []
  private var polygons: [Polygon] = []
  private let sums: UnsafeMutablePointer<Float>
  /// The number of sums to compute at once, so that they stay in the processor's cache.
  private static let sumsAtOnce = 1 << 15

  private struct Polygon {
    /// Its indexes in `corners`.
    let corners: Range<Int>
    let top: Double
    let bottom: Double
  }

  init() {
    sums = .allocate(capacity: Self.sumsAtOnce)
    sums.initialize(repeating: 0, count: Self.sumsAtOnce)
  }

  deinit { sums.deallocate() }

  /// Adds a closed polygon.
  ///
  /// - Parameter polygon: its corners, in pixels, right and down.
  func add(_ polygon: [SIMD2<Double>]) {
    guard let first = polygon.first else { return }
    let start = corners.count
    corners += polygon
    var (top, bottom) = (first.y, first.y)
    for corner in polygon { (top, bottom) = (min(top, corner.y), max(bottom, corner.y)) }
    polygons.append(Polygon(corners: start..<corners.count, top: top, bottom: bottom))
  }

  /// Fills all added polygons at once, by the nonzero winding rule, and removes them.
  ///
  /// - Parameter cairo: draws on an image with 32 bits a pixel. Its transformation is ignored.
  func fill(_ color: InkColor, on cairo: OpaquePointer) {
    defer {
      corners.removeAll(keepingCapacity: true)
      polygons.removeAll(keepingCapacity: true)
    }
    let surface = cairo_get_target(cairo)
    cairo_surface_flush(surface)
    // Letters are much nearer to the picture than this limit.
    guard let first = corners.first, let pixels = cairo_image_surface_get_data(surface),
      corners.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 })
    else { return }
    var (least, most) = (first, first)
    for corner in corners {
      least.replace(with: corner, where: corner .< least)
      most.replace(with: corner, where: corner .> most)
    }
    let target = InkTarget(
      pixels: pixels, bytesPerRow: Int(cairo_image_surface_get_stride(surface)),
      width: Int(cairo_image_surface_get_width(surface)), color: color)
    let columns = Int(least.x.rounded(.down))..<Int(most.x.rounded(.up))
    let rows = (Int(least.y.rounded(.down))..<Int(most.y.rounded(.up)))
      .clamped(to: 0..<Int(cairo_image_surface_get_height(surface)))
    guard !rows.isEmpty, !columns.isEmpty, columns.lowerBound < target.width,
      columns.upperBound > 0
    else { return }
    fill(target, columns, rows)
    cairo_surface_mark_dirty(surface)
  }

  private func fill(_ target: InkTarget, _ columns: Range<Int>, _ rows: Range<Int>) {
    // An edge at the right end of a row adds to one more pixel. A multiple of 4 is drawn faster.
    let width = (columns.count + 2 + 3) / 4 * 4
    var (sums, space) = (sums, Self.sumsAtOnce)
    if width > space {
      (sums, space) = (.allocate(capacity: width), width)
      sums.initialize(repeating: 0, count: width)
    }
    defer { if sums != self.sums { sums.deallocate() } }
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: space / width) {
      let band = Band(
        sums: sums, width: width, height: min(space / width, rows.upperBound - top))
      addEdges(to: band, from: SIMD2(Double(columns.lowerBound), Double(top)))
      for row in 0..<band.height {
        target.draw(sums + row * width, width, from: columns.lowerBound, row: top + row)
      }
    }
  }

  private func addEdges(to band: Band, from origin: SIMD2<Double>) {
    let bottom = origin.y + Double(band.height)
    for polygon in polygons where polygon.bottom > origin.y && polygon.top < bottom {
      let places = corners[polygon.corners]
      guard var last = places.last.map({ SIMD2<Float>($0 - origin) }) else { continue }
      for corner in places {
        let next = SIMD2<Float>(corner - origin)
        band.addEdge(from: last, to: next)
        last = next
      }
    }
  }

  /// Rows of sums.
  private struct Band {
    let sums: UnsafeMutablePointer<Float>
    let width: Int
    let height: Int

    /// Adds an edge, in pixels from the band's upper left corner. It may begin above and end below the band.
    @inline(__always)
    func addEdge(from start: SIMD2<Float>, to end: SIMD2<Float>) {
      guard start.y != end.y else { return }
      let turn: Float = start.y < end.y ? 1 : -1
      let (top, bottom) = start.y < end.y ? (start, end) : (end, start)
      guard bottom.y > 0, top.y < Float(height) else { return }
      if top.x == bottom.x { return addVertical(top.x, from: top.y, to: bottom.y, turn) }
      let slope = (bottom.x - top.x) / (bottom.y - top.y)
      let (leftmost, rightmost) = (min(top.x, bottom.x), max(top.x, bottom.x))
      var (x, y) = (top.x, top.y)
      if y < 0 { (x, y) = (min(max(x - y * slope, leftmost), rightmost), 0) }
      var row = Int(y)
      while row < height, y < bottom.y {
        let nextY = min(Float(row + 1), bottom.y)
        let down = nextY - y
        // Rounding must not leave the edge's own columns.
        let nextX = min(max(x + down * slope, leftmost), rightmost)
        addPiece(from: x, to: nextX, down * turn, to: sums + row * width)
        (x, y) = (nextX, nextY)
        row += 1
      }
    }

    /// Adds a vertical edge. Letters have many, and they are long.
    @inline(__always)
    private func addVertical(_ x: Float, from top: Float, to bottom: Float, _ turn: Float) {
      let column = Int(x)
      let uncovered = turn * (x - Float(column))
      let covered = turn - uncovered
      let (start, end) = (max(top, 0), min(bottom, Float(height)))
      let (first, last) = (Int(start), Int(end))
      var pixels = sums + (first * width + column)
      // The rows that count in part are at the ends.
      for row in first...last {
        let share = min(end, Float(row + 1)) - max(start, Float(row))
        guard share > 0 else { break }
        pixels[0] += share * covered
        pixels[1] += share * uncovered
        pixels += width
      }
    }

    /// Adds the piece of an edge within one row.
    ///
    /// - Parameter height: of the piece, negative if the edge goes up.
    @inline(__always)
    private func addPiece(
      from start: Float, to end: Float, _ height: Float, to line: UnsafeMutablePointer<Float>
    ) {
      let (left, right) = (min(start, end), max(start, end))
      let first = Int(left)
      let pixels = line + first
      let inFirst = left - Float(first)
      if right <= Float(first + 1) {
        // The mean distance from the left side of the pixel is not covered.
        let uncovered = height * (inFirst + (right - left) / 2)
        pixels[0] += height - uncovered
        pixels[1] += uncovered
        return
      }
      // The area to the right of the edge is a triangle in the first column, and all but a triangle in the last.
      let last = Int(right)
      let perColumn = height / (right - left)
      var covered = perColumn * (1 - inFirst) * (1 - inFirst) / 2
      pixels[0] += covered
      var sum = covered
      for column in first + 1..<max(first + 1, last) {
        covered = perColumn * (Float(column) + 0.5 - left)
        line[column] += covered - sum
        sum = covered
      }
      let inLast = right - Float(last)
      covered = height - perColumn * inLast * inLast / 2
      line[last] += covered - sum
      line[last + 1] += height - covered
    }
  }
}

/// Premultiplied pixels, and the color that covers them.
private struct InkTarget {
  let pixels: UnsafeMutablePointer<UInt8>
  let bytesPerRow: Int
  let width: Int
  private let ink: UInt32

  init(pixels: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, width: Int, color: InkColor) {
    (self.pixels, self.bytesPerRow, self.width) = (pixels, bytesPerRow, width)
    ink = 0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
  }

  /// Draws a row, and clears its sums.
  ///
  /// - Parameters:
  ///   - count: the number of sums, a multiple of 4.
  ///   - left: the column of the first sum. Columns outside of the image are not drawn.
  @inline(__always)
  func draw(_ sums: UnsafeMutablePointer<Float>, _ count: Int, from left: Int, row: Int) {
    let line = UnsafeMutableRawPointer(pixels + row * bytesPerRow)
      .assumingMemoryBound(to: UInt32.self)
    var sum: Float = 0
    var share: UInt32 = 0
    // Loops over ranges would be many times slower in a build for debugging.
    var first = 0
    while first < count {
      let group = sums + first
      let start = left + first
      first += 4
      let pairs = UnsafeRawPointer(group).assumingMemoryBound(to: UInt64.self)
      let isUniform = pairs[0] | pairs[1] == 0
      if isUniform && share == 0 { continue }
      let isInside = start >= 0 && start + 4 <= width
      if isUniform && share == 255 && isInside {
        UnsafeMutableRawPointer(line + start).storeBytes(
          of: SIMD4(repeating: ink), as: SIMD4<UInt32>.self)
        continue
      }
      var index = 0
      while index < 4 {
        sum += group[index]
        group[index] = 0
        // Such a sum is so large that its last bits count ones.
        share = (min(abs(sum), 1) * 255 + 0x80_0000).bitPattern & 255
        let column = start + index
        index += 1
        guard share > 0, isInside || column >= 0 && column < width else { continue }
        line[column] = share == 255 ? ink : Self.mean(of: ink, line[column], share: share)
      }
    }
  }

  /// The mean of two pixels, of which the first has a share of 255ths. Computes two channels at once.
  @inline(__always)
  private static func mean(of ink: UInt32, _ pixel: UInt32, share: UInt32) -> UInt32 {
    let rest = 255 - share
    func both(_ shift: UInt32) -> UInt32 {
      let sum =
        (ink &>> shift & 0xFF_00FF) &* share &+ (pixel &>> shift & 0xFF_00FF) &* rest
        &+ 0x80_0080
      return ((sum &+ (sum &>> 8 & 0xFF_00FF)) &>> 8) & 0xFF_00FF
    }
    return both(8) &<< 8 | both(0)
  }
}
