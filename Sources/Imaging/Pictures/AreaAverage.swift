/// Scales an RGB picture down. Each new pixel is the average of the area that it covers, including fractions of pixels.
///
/// If the picture shrinks to about half its size or less, this is as good as finer filters, and several times faster.
struct AreaAverage {
  /// The reduction factors of thumbnails. With smaller ones, letters become visibly softer than with a finer filter.
  static let thumbnailFactors = 1.25...128.0
  /// The reduction factors of pictures. Larger ones overflow the integer types below.
  static let factors = 1.75...128.0

  private let source: PixelBuffer
  private let target: PixelBuffer
  private let columns: [Cover]
  private let rows: [Cover]

  /// The pixels along one axis that a new pixel covers. The first and the last may count in part, in 256ths.
  private struct Cover {
    let first: Int
    let last: Int
    let firstWeight: UInt32
    let lastWeight: UInt32
    /// 2³² / the total weight.
    let share: UInt64

    /// - Parameters: pixel `index` of `count` new pixels. `length` is the number of old pixels, which is larger.
    init(_ index: Int, of count: Int, over length: Int) {
      let (start, end) = (index * length * 256 / count, (index + 1) * length * 256 / count)
      first = start / 256
      last = min((end - 1) / 256, length - 1)
      firstWeight = UInt32(256 - start % 256)
      lastWeight = UInt32(end - last * 256)
      share = (1 << 32) / UInt64(end - start)
    }

    /// The pixels that count in full.
    var between: Range<Int> { first + 1..<max(first + 1, last) }
  }

  /// - Parameters:
  ///   - source: RGB.
  ///   - target: already has its shape, smaller than the source in each direction by one of these factors.
  init(of source: PixelBuffer, into target: PixelBuffer) {
    (self.source, self.target) = (source, target)
    columns = (0..<target.width).map { Cover($0, of: target.width, over: source.width) }
    rows = (0..<target.height).map { Cover($0, of: target.height, over: source.height) }
  }

  func run() {
    guard let pixels = source.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let result = target.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let (width, length) = (source.bytesPerRow, target.bytesPerRow)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { sums in
      guard let sums = sums.baseAddress else { return }
      for (index, row) in rows.enumerated() {
        sums.update(repeating: 0, count: width)
        Self.add(pixels + row.first * width, count: width, weight: row.firstWeight, to: sums)
        for y in row.between { Self.add(pixels + y * width, count: width, to: sums) }
        Self.add(pixels + row.last * width, count: width, weight: row.lastWeight, to: sums)
        settle(sums, share: row.share, into: result + index * length)
      }
    }
    withExtendedLifetime((source, target)) {}
  }

  /// Adds a row that counts in full. 16-bit sums can hold 257 rows, and every processor adds eight sums at once.
  private static func add(
    _ line: UnsafePointer<UInt8>, count: Int, to sums: UnsafeMutablePointer<UInt16>
  ) {
    for index in 0..<count { sums[index] &+= UInt16(line[index]) }
  }

  /// Adds a row that counts in part.
  private static func add(
    _ line: UnsafePointer<UInt8>, count: Int, weight: UInt32,
    to sums: UnsafeMutablePointer<UInt16>
  ) {
    let weight = UInt16(weight)
    // Rounded: two parts of rows would make a thumbnail darker. A sum is at most 255 × 256 + 128, which fits 16 bits.
    for index in 0..<count { sums[index] &+= (UInt16(line[index]) &* weight &+ 128) &>> 8 }
  }

  /// Computes a row of new pixels from the sums of columns.
  ///
  /// - Parameter share: 2³² / the total weight of the rows in the sums.
  private func settle(
    _ sums: UnsafePointer<UInt16>, share: UInt64, into line: UnsafeMutablePointer<UInt8>
  ) {
    var pixel = line
    for column in columns {
      var sum = sums + 3 * (column.first + 1)
      var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
      for _ in column.between {
        red &+= UInt32(sum[0])
        green &+= UInt32(sum[1])
        blue &+= UInt32(sum[2])
        sum += 3
      }
      let (left, right) = (sums + 3 * column.first, sums + 3 * column.last)
      let (leftWeight, rightWeight) = (column.firstWeight, column.lastWeight)
      red = red &<< 8 &+ UInt32(left[0]) &* leftWeight &+ UInt32(right[0]) &* rightWeight
      green = green &<< 8 &+ UInt32(left[1]) &* leftWeight &+ UInt32(right[1]) &* rightWeight
      blue = blue &<< 8 &+ UInt32(left[2]) &* leftWeight &+ UInt32(right[2]) &* rightWeight
      // 2⁴⁸ / both weights. The sums of rows count whole pixels, so a mean has 40 bits below the point.
      let share = (share &* column.share) &>> 16
      pixel[0] = Self.rounded(UInt64(red) &* share)
      pixel[1] = Self.rounded(UInt64(green) &* share)
      pixel[2] = Self.rounded(UInt64(blue) &* share)
      pixel += 3
    }
  }

  /// - Parameter mean: has 40 bits below the point.
  private static func rounded(_ mean: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: min((mean &+ 1 << 39) &>> 40, 255))
  }
}
