/// The part of a picture to keep, in whole pixels of the upright picture.
package struct CropArea: Sendable, Hashable {
  package let left: Int
  package let top: Int
  package let width: Int
  package let height: Int

  /// - Parameters: an area inside the picture, at least one pixel wide and high.
  package init(left: Int, top: Int, width: Int, height: Int) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// Returns the same area in the picture as it is stored.
  ///
  /// - Parameters:
  ///   - orientation: the EXIF orientation (TIFF 6.0, Orientation).
  ///   - uprightWidth: the width of the upright picture.
  ///   - uprightHeight: the height of the upright picture.
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

  /// Returns the area in a picture that is smaller by `factor`. None of its pixels shows anything outside this area.
  func shrunk(by factor: Int) -> CropArea {
    guard factor > 1 else { return self }
    let (first, upper) = ((left + factor - 1) / factor, (top + factor - 1) / factor)
    return CropArea(
      left: first, top: upper, width: (left + width) / factor - first,
      height: (top + height) / factor - upper)
  }

  /// Each edge of a crop keeps at least this many pixels if the file is read at a smaller scale. The loss of at most
  /// one pixel at each edge is then invisible.
  static let shortestEdge = 64
}
