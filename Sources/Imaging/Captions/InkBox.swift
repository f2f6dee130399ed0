/// The rectangle that contains the ink and outline of a caption, in whole pixels.
package struct InkBox: Sendable, Equatable {
  package let left: Int
  package let top: Int
  package let width: Int
  package let height: Int

  package init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// The box of a caption in a picture: 94 % of the width by 24 % of the height, 3 % from the edges.
  package init(_ edge: CaptionEdge, inPictureOfWidth pictureWidth: Int, height pictureHeight: Int) {
    let (across, down) = (Double(pictureWidth), Double(pictureHeight))
    // Round inward: a pixel that is only partly inside the box is outside it.
    left = Int((across * 0.03).rounded(.up))
    width = max(0, Int((across * 0.97).rounded(.down)) - left)
    let near = Int((down * 0.03).rounded(.up))
    height = max(0, Int((down * 0.27).rounded(.down)) - near)
    top = near + Int((Double(pictureHeight - 2 * near - height) * edge.share).rounded(.down))
  }
}

extension InkBox {
  /// The box of a caption with a position of its own, in fractions of the picture.
  ///
  /// - Parameters: from 0 to 1, as are `left + width` and `top + height`.
  package init(
    left: Double, top: Double, width: Double, height: Double, inPictureOfWidth pictureWidth: Int,
    height pictureHeight: Int
  ) {
    let columns = Self.pixels(from: left, length: width, of: pictureWidth)
    let rows = Self.pixels(from: top, length: height, of: pictureHeight)
    self.init(
      left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The pixels that are entirely inside. Tolerates fractions that are rounded to a few digits.
  private static func pixels(from start: Double, length: Double, of count: Int) -> Range<Int> {
    let (scale, grain) = (Double(count), 1e-6)
    let first = (min(max(start, 0), 1) * scale - grain).rounded(.up)
    let end = (min(max(start + length, 0), 1) * scale + grain).rounded(.down)
    return Int(first)..<max(Int(first), Int(end))
  }
}
