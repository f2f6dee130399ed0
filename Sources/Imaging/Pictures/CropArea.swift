/// The part of a picture that is kept, in whole pixels of the upright picture.
package struct CropArea: Sendable, Hashable {
  package let left: Int
  package let top: Int
  package let width: Int
  package let height: Int

  /// - Parameters: inside a picture, and at least one pixel each way.
  package init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// The same part of the picture as it is stored.
  ///
  /// - Parameters:
  ///   - orientation: as EXIF numbers them (TIFF 6.0, Orientation).
  ///   - width: of the upright picture, as `height`.
  func stored(orientation: Int, uprightWidth: Int, height uprightHeight: Int) -> CropArea {
    let fromRight = uprightWidth - left - width
    let fromBottom = uprightHeight - top - height
    return switch orientation {
    case 2: CropArea(left: fromRight, top: top, width: width, height: height)
    case 3: CropArea(left: fromRight, top: fromBottom, width: width, height: height)
    case 4: CropArea(left: left, top: fromBottom, width: width, height: height)
    case 5: CropArea(left: top, top: left, width: height, height: width)
    case 6: CropArea(left: top, top: fromRight, width: height, height: width)
    case 7: CropArea(left: fromBottom, top: fromRight, width: height, height: width)
    case 8: CropArea(left: fromBottom, top: left, width: height, height: width)
    default: self
    }
  }

  /// The part of a picture that is so many times smaller, of which no pixel shows anything else.
  func shrunk(by factor: Int) -> CropArea {
    guard factor > 1 else { return self }
    let (first, upper) = ((left + factor - 1) / factor, (top + factor - 1) / factor)
    return CropArea(
      left: first, top: upper, width: (left + width) / factor - first,
      height: (top + height) / factor - upper)
  }

  /// A crop is not read at a smaller scale than leaves this many pixels of each edge: what is lost at the edges, a pixel
  /// at most of each, cannot be seen then.
  static let shortestEdge = 64
}
