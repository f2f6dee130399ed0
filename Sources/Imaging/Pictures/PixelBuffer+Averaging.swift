extension PixelBuffer {
  /// Makes each pixel of `target` the average of a block of `factor` × `factor` pixels of this picture.
  ///
  /// Blocks at the right and lower edges may be smaller. Where there is alpha, colours count by it.
  ///
  /// - Parameter factor: 1 to 255.
  func average(_ factor: Int, into target: PixelBuffer) {
    target.reshape(
      width: (width + factor - 1) / factor, height: (height + factor - 1) / factor,
      channels: channels)
    guard let source = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let result = target.pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: bytesPerRow) { sums in
      guard let sums = sums.baseAddress else { return }
      for row in 0..<target.height {
        let rows = row * factor..<min(height, (row + 1) * factor)
        sums.update(repeating: 0, count: bytesPerRow)
        for y in rows { add(source + y * bytesPerRow, to: sums) }
        let line = result + row * target.bytesPerRow
        for column in 0..<target.width {
          let columns = column * factor..<min(width, (column + 1) * factor)
          settle(
            sums + columns.lowerBound * channels, columns: columns.count, rows: rows.count,
            into: line + column * channels)
        }
      }
    }
    withExtendedLifetime((self, target)) {}
  }

  /// Adds a row to the sums of its blocks; colours are weighed by alpha where there is one.
  private func add(_ line: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt32>) {
    guard hasAlpha else {
      for index in 0..<bytesPerRow { sums[index] &+= UInt32(line[index]) }
      return
    }
    for index in stride(from: 0, to: bytesPerRow, by: 4) {
      let alpha = UInt32(line[index + 3])
      for channel in 0..<3 { sums[index + channel] &+= UInt32(line[index + channel]) &* alpha }
      sums[index + 3] &+= alpha
    }
  }

  /// Turns the sums of one block's columns into a pixel.
  private func settle(
    _ sums: UnsafePointer<UInt32>, columns: Int, rows: Int, into pixel: UnsafeMutablePointer<UInt8>
  ) {
    var total = SIMD4<UInt32>()
    for column in 0..<columns {
      for channel in 0..<channels { total[channel] &+= sums[column * channels + channel] }
    }
    let count = UInt32(columns * rows)
    let weight = hasAlpha ? max(1, total[3]) : count
    for channel in 0..<3 {
      pixel[channel] = UInt8(truncatingIfNeeded: (total[channel] &+ weight / 2) / weight)
    }
    if hasAlpha { pixel[3] = UInt8(truncatingIfNeeded: (total[3] + count / 2) / count) }
  }
}
