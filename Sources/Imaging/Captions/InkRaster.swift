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
  /// - Parameter bounds: the pixels of the picture that may change; `nil` for all.
  func fill(_ color: InkColor, on picture: PixelBuffer, within bounds: PixelBounds? = nil) {
    defer {
      corners.removeAll(keepingCapacity: true)
      polygons.removeAll(keepingCapacity: true)
    }
    // Letters are much nearer to the picture than this limit.
    guard let first = corners.first,
      corners.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }),
      let bounds = bounds ?? PixelBounds(of: picture),
      let target = InkTarget(picture, columns: bounds.columns, color: color)
    else { return }
    defer { withExtendedLifetime(picture) {} }
    var (least, most) = (first, first)
    for corner in corners {
      least.replace(with: corner, where: corner .< least)
      most.replace(with: corner, where: corner .> most)
    }
    let columns = Int(least.x.rounded(.down))..<Int(most.x.rounded(.up))
    let rows = (Int(least.y.rounded(.down))..<Int(most.y.rounded(.up))).clamped(to: bounds.rows)
    guard !rows.isEmpty, columns.overlaps(bounds.columns) else { return }
    fill(target, columns, rows)
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

/// The pixels of a picture, and the color that covers them.
private struct InkTarget {
  private let pixels: UnsafeMutablePointer<UInt8>
  private let bytesPerRow: Int
  private let channels: Int
  /// The columns that may change.
  private let columns: Range<Int>
  private let color: SIMD4<UInt8>
  /// The bytes of four pixels of the color.
  private let fourPixels: (UInt64, UInt64)

  init?(_ picture: PixelBuffer, columns: Range<Int>, color: InkColor) {
    guard let start = picture.pixels.baseAddress else { return nil }
    pixels = start.assumingMemoryBound(to: UInt8.self)
    let channels = picture.channels
    (bytesPerRow, self.channels, self.columns) = (picture.bytesPerRow, channels, columns)
    let pixel = SIMD4(color.red, color.green, color.blue, 255)
    func bytes(from first: Int) -> UInt64 {
      UInt64(
        littleEndian: (0..<8).reduce(0) {
          $0 | UInt64(pixel[(first + $1) % channels]) << (8 * UInt64($1))
        })
    }
    (self.color, fourPixels) = (pixel, (bytes(from: 0), bytes(from: 8)))
  }

  /// Draws a row, and clears its sums.
  ///
  /// - Parameters:
  ///   - count: the number of sums, a multiple of 4.
  ///   - left: the column of the first sum. Columns outside of the bounds are not drawn.
  @inline(__always)
  func draw(_ sums: UnsafeMutablePointer<Float>, _ count: Int, from left: Int, row: Int) {
    if channels == 4 {
      draw(sums, count, from: left, row: row, channels: 4)
    } else {
      draw(sums, count, from: left, row: row, channels: 3)
    }
  }

  @inline(__always)
  private func draw(
    _ sums: UnsafeMutablePointer<Float>, _ count: Int, from left: Int, row: Int, channels: Int
  ) {
    let line = pixels + row * bytesPerRow
    var sum: Float = 0
    var share: UInt32 = 0
    // Loops over ranges would be many times slower in a build for debugging.
    var place = 0
    while place < count {
      if share == 0 || share == 255 {
        // The share stays the same until the next edge.
        let first = place
        while place < count {
          let pairs = UnsafeRawPointer(sums + place).assumingMemoryBound(to: UInt64.self)
          if pairs[0] | pairs[1] != 0 { break }
          place &+= 4
        }
        if share == 255 { cover(line, from: left + first, to: left + place, channels) }
        if place == count { return }
      }
      let end = place &+ 4
      while place < end {
        sum += sums[place]
        sums[place] = 0
        // Such a sum is so large that its last bits count ones.
        share = (min(abs(sum), 1) * 255 + 0x80_0000).bitPattern & 255
        let column = left &+ place
        place &+= 1
        guard share > 0, columns.contains(column) else { continue }
        let pixel = line + channels &* column
        if share == 255 {
          cover(pixel, channels)
        } else if channels == 4 {
          blendWithAlpha(pixel, share: share)
        } else {
          blend(pixel, share: share)
        }
      }
    }
  }

  /// Colors pixels that are covered.
  @inline(__always)
  private func cover(
    _ line: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, _ channels: Int
  ) {
    var column = max(start, columns.lowerBound)
    let end = min(end, columns.upperBound)
    while column &+ 4 <= end {
      let place = UnsafeMutableRawPointer(line + column &* channels)
      place.storeBytes(of: fourPixels.0, as: UInt64.self)
      if channels == 4 {
        place.storeBytes(of: fourPixels.1, toByteOffset: 8, as: UInt64.self)
      } else {
        place.storeBytes(
          of: UInt32(truncatingIfNeeded: fourPixels.1), toByteOffset: 8, as: UInt32.self)
      }
      column &+= 4
    }
    while column < end {
      cover(line + column &* channels, channels)
      column &+= 1
    }
  }

  @inline(__always)
  private func cover(_ pixel: UnsafeMutablePointer<UInt8>, _ channels: Int) {
    (pixel[0], pixel[1], pixel[2]) = (color.x, color.y, color.z)
    if channels == 4 { pixel[3] = 255 }
  }

  /// - Parameter share: of the color, in 255ths.
  @inline(__always)
  private func blend(_ pixel: UnsafeMutablePointer<UInt8>, share: UInt32) {
    let rest = 255 &- share
    pixel[0] = Self.divided(UInt32(color.x) &* share &+ UInt32(pixel[0]) &* rest)
    pixel[1] = Self.divided(UInt32(color.y) &* share &+ UInt32(pixel[1]) &* rest)
    pixel[2] = Self.divided(UInt32(color.z) &* share &+ UInt32(pixel[2]) &* rest)
  }

  /// The picture's alpha is not premultiplied, so alpha weights the picture's color, and the sum is divided by the new
  /// alpha.
  @inline(__always)
  private func blendWithAlpha(_ pixel: UnsafeMutablePointer<UInt8>, share: UInt32) {
    let below = UInt32(Self.divided(UInt32(pixel[3]) &* (255 &- share)))
    let together = share &+ below
    var channel = 0
    while channel < 3 {
      let sum = UInt32(color[channel]) &* share &+ UInt32(pixel[channel]) &* below
      pixel[channel] = UInt8(truncatingIfNeeded: (sum &+ together / 2) / together)
      channel &+= 1
    }
    pixel[3] = UInt8(truncatingIfNeeded: together)
  }

  /// `sum / 255`, rounded, for a sum of at most 255 × 255.
  @inline(__always)
  private static func divided(_ sum: UInt32) -> UInt8 {
    let rounded = sum &+ 128
    return UInt8(truncatingIfNeeded: (rounded &+ rounded &>> 8) &>> 8)
  }
}
