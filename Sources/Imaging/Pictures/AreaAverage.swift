/// Makes an RGB picture smaller: each new pixel is the average of the area that it covers, of pixels in part where
/// need be.
///
/// For pictures that become about half as large or less this is as good as finer filters, and several times faster.
struct AreaAverage {
  /// The reductions that it is for. Smaller ones want a finer filter; larger ones do not fit the types below.
  static let factors = 1.75...128.0

  private let source: PixelBuffer
  private let target: PixelBuffer
  private let columns: [Cover]
  private let rows: [Cover]

  /// The pixels of one axis that a new pixel covers: the first and the last may count in part, in 256ths.
  private struct Cover {
    let first: Int
    let last: Int
    let firstWeight: UInt32
    let lastWeight: UInt32

    /// - Parameters: new pixel `index` of `count`, where there are `length` pixels, more than that.
    init(_ index: Int, of count: Int, over length: Int) {
      let (start, end) = (index * length * 256 / count, (index + 1) * length * 256 / count)
      first = start / 256
      last = min((end - 1) / 256, length - 1)
      firstWeight = UInt32(256 - start % 256)
      lastWeight = UInt32(end - last * 256)
    }

    /// The pixels that count whole.
    var between: Range<Int> { first + 1..<max(first + 1, last) }

    var total: UInt32 { firstWeight + UInt32(between.count) * 256 + lastWeight }
  }

  /// - Parameters:
  ///   - source: RGB.
  ///   - target: has its shape already: smaller than the source's by ``factors``, each way.
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
        settle(sums, height: row.total, into: result + index * length)
      }
    }
    withExtendedLifetime((source, target)) {}
  }

  /// Adds a row that counts whole. Sums of 16 bits hold 257 rows, and every processor adds eight at once.
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
    // A product is at most 255 × 256, which 16 bits hold.
    for index in 0..<count { sums[index] &+= (UInt16(line[index]) &* weight) &>> 8 }
  }

  /// Makes a row of new pixels of the sums of columns.
  ///
  /// - Parameter height: what the rows of the sums weigh together.
  private func settle(
    _ sums: UnsafePointer<UInt16>, height: UInt32, into line: UnsafeMutablePointer<UInt8>
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
      let share = 256 / (Float(height) * Float(column.total))
      pixel[0] = Self.rounded(Float(red) * share)
      pixel[1] = Self.rounded(Float(green) * share)
      pixel[2] = Self.rounded(Float(blue) * share)
      pixel += 3
    }
  }

  private static func rounded(_ value: Float) -> UInt8 { UInt8(min(value + 0.5, 255)) }
}
