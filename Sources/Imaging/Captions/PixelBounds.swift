/// A rectangle of whole pixels of a picture; never empty.
struct PixelBounds {
  let columns: Range<Int>
  let rows: Range<Int>

  /// The pixels that an extent touches.
  ///
  /// - Returns: `nil` if there are none.
  init?(
    touchedBy extent: (left: Double, top: Double, right: Double, bottom: Double),
    of picture: PixelBuffer
  ) {
    self.init(touchedBy: extent, within: PixelBounds(of: picture))
  }

  init?(
    touchedBy extent: (left: Double, top: Double, right: Double, bottom: Double),
    within bounds: PixelBounds?
  ) {
    guard let bounds else { return nil }
    columns = Self.pixels(from: extent.left, to: extent.right).clamped(to: bounds.columns)
    rows = Self.pixels(from: extent.top, to: extent.bottom).clamped(to: bounds.rows)
    if columns.isEmpty || rows.isEmpty { return nil }
  }

  /// All pixels.
  ///
  /// - Returns: `nil` if the picture is empty.
  init?(of picture: PixelBuffer) {
    (columns, rows) = (0..<picture.width, 0..<picture.height)
    if columns.isEmpty || rows.isEmpty { return nil }
  }

  private init(columns: Range<Int>, rows: Range<Int>) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// Strips of rows, so that a large rectangle costs time but not memory.
  ///
  /// - Parameter pixels: the most pixels in a strip, unless a single row has more.
  func strips(of pixels: Int) -> [PixelBounds] {
    let most = max(1, pixels / columns.count)
    return stride(from: rows.lowerBound, to: rows.upperBound, by: most).map { first in
      PixelBounds(columns: columns, rows: first..<min(first + most, rows.upperBound))
    }
  }

  private static func pixels(from start: Double, to end: Double) -> Range<Int> {
    // Far from the picture, where the numbers would not fit an integer, one pixel is like another.
    func whole(_ place: Double) -> Int { Int(min(max(place, -1e9), 1e9)) }
    let first = whole(start.rounded(.down))
    return first..<max(first, whole(end.rounded(.up)))
  }
}
