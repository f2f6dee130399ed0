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
  private let columns: Columns
  private let rows: [Cover]

  /// The pixels along one axis that a new pixel covers. The first and the last may count in part, in 256ths.
  private struct Cover {
    let first: Int
    let last: Int
    let firstWeight: UInt32
    let lastWeight: UInt32
    /// Of all its pixels together.
    let weight: Float

    /// - Parameters: pixel `index` of `count` new pixels. `length` is the number of old pixels, which is larger.
    init(_ index: Int, of count: Int, over length: Int) {
      let (start, end) = (index * length * 256 / count, (index + 1) * length * 256 / count)
      first = start / 256
      last = min((end - 1) / 256, length - 1)
      firstWeight = UInt32(256 - start % 256)
      lastWeight = UInt32(end - last * 256)
      weight = Float(end - start)
    }

    /// The pixels that count in full.
    var between: Range<Int> { first + 1..<max(first + 1, last) }
  }

  /// - Parameters:
  ///   - source: RGB.
  ///   - target: already has its shape, smaller than the source in each direction by one of these factors.
  init(of source: PixelBuffer, into target: PixelBuffer) {
    (self.source, self.target) = (source, target)
    columns = Columns(target.width, over: source.width)
    rows = (0..<target.height).map { Cover($0, of: target.height, over: source.height) }
  }

  func run() {
    guard let pixels = source.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let result = target.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let (width, length) = (source.bytesPerRow, target.bytesPerRow)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { sums in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width + length) { means in
        guard let sums = sums.baseAddress, let means = means.baseAddress else { return }
        let averages = means + width
        for (index, row) in rows.enumerated() {
          sums.update(repeating: 0, count: width)
          Self.add(pixels + row.first * width, count: width, weight: row.firstWeight, to: sums)
          Self.add(row.between, of: pixels, count: width, to: sums)
          Self.add(pixels + row.last * width, count: width, weight: row.lastWeight, to: sums)
          let scale = 256 / row.weight
          var place = 0
          while place < width {
            means[place] = Float(sums[place]) * scale
            place &+= 1
          }
          columns.average(means, into: averages)
          Self.round(averages, count: length, into: result + index * length)
        }
      }
    }
    withExtendedLifetime((source, target)) {}
  }

  /// Adds rows that count in full. 16-bit sums can hold 257 rows, and every processor adds eight sums at once.
  @inline(__always)
  private static func add(
    _ rows: Range<Int>, of pixels: UnsafePointer<UInt8>, count: Int,
    to sums: UnsafeMutablePointer<UInt16>
  ) {
    var row = rows.lowerBound
    // Three rows at once, because the sums take longer to load and store than to add.
    while row &+ 3 <= rows.upperBound {
      let line = pixels + row &* count
      let (second, third) = (line + count, line + 2 &* count)
      var index = 0
      while index < count {
        sums[index] &+= UInt16(line[index]) &+ UInt16(second[index]) &+ UInt16(third[index])
        index &+= 1
      }
      row &+= 3
    }
    while row < rows.upperBound {
      let line = pixels + row &* count
      var index = 0
      while index < count {
        sums[index] &+= UInt16(line[index])
        index &+= 1
      }
      row &+= 1
    }
  }

  /// Adds a row that counts in part.
  private static func add(
    _ line: UnsafePointer<UInt8>, count: Int, weight: UInt32,
    to sums: UnsafeMutablePointer<UInt16>
  ) {
    let weight = UInt16(weight)
    // Rounded: two parts of rows would make a thumbnail darker. A sum is at most 255 × 256 + 128, which fits 16 bits.
    var index = 0
    while index < count {
      sums[index] &+= (UInt16(line[index]) &* weight &+ 128) &>> 8
      index &+= 1
    }
  }

  private static func round(
    _ values: UnsafePointer<Float>, count: Int, into line: UnsafeMutablePointer<UInt8>
  ) {
    var index = 0
    while index < count {
      // Two parts of rows that are rounded up can make white brighter than 255. The sum is so large that its last bits
      // count ones.
      line[index] = UInt8(truncatingIfNeeded: (min(values[index], 255) + 0x80_0000).bitPattern)
      index &+= 1
    }
  }

  /// The columns that the new pixels of a row cover.
  ///
  /// All new pixels have the same number of weights, some of them 0, so that the processor predicts the loop over
  /// them.
  private struct Columns {
    /// The first column of each new pixel.
    private let starts: [Int]
    /// Of a new pixel's columns; together 1.
    private let weights: [Float]
    private let weightsPerPixel: Int

    init(_ count: Int, over length: Int) {
      let covers = (0..<count).map { Cover($0, of: count, over: length) }
      let most = covers.map { $0.last - $0.first + 1 }.max() ?? 1
      weightsPerPixel = most
      // The last pixels have their weights of 0 first, so that none is of a column outside of the picture.
      let starts = covers.map { min($0.first, length - most) }
      weights = zip(covers, starts).flatMap { cover, start in
        (start..<start + most).map { column in
          switch column {
          case cover.first: Float(cover.firstWeight) / cover.weight
          case cover.last: Float(cover.lastWeight) / cover.weight
          default: cover.between.contains(column) ? 256 / cover.weight : 0
          }
        }
      }
      self.starts = starts
    }

    /// Computes a row of new pixels from means of columns.
    func average(_ means: UnsafePointer<Float>, into averages: UnsafeMutablePointer<Float>) {
      // Between half and the whole size, three columns are enough. With a fixed number, the loop is unrolled.
      if weightsPerPixel == 3 {
        average(means, into: averages, weightsPerPixel: 3)
      } else {
        average(means, into: averages, weightsPerPixel: weightsPerPixel)
      }
    }

    @inline(__always)
    private func average(
      _ means: UnsafePointer<Float>, into averages: UnsafeMutablePointer<Float>,
      weightsPerPixel: Int
    ) {
      weights.withUnsafeBufferPointer { weights in
        starts.withUnsafeBufferPointer { starts in
          // Loops over ranges, vectors and pointers that move would be many times slower in a build for debugging.
          var (pixel, weight) = (0, 0)
          while pixel < starts.count {
            var mean = 3 &* starts[pixel]
            var (red, green, blue) = (Float(0), Float(0), Float(0))
            let end = weight &+ weightsPerPixel
            while weight < end {
              let share = weights[weight]
              red += means[mean] * share
              green += means[mean &+ 1] * share
              blue += means[mean &+ 2] * share
              mean &+= 3
              weight &+= 1
            }
            averages[3 &* pixel] = red
            averages[3 &* pixel &+ 1] = green
            averages[3 &* pixel &+ 2] = blue
            pixel &+= 1
          }
        }
      }
    }
  }
}
