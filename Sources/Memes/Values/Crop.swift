/// The visible part of a picture, in whole pixels of the upright original. Written `x,y,width,height`.
package struct Crop: Hashable, Sendable {
  package let x: Int
  package let y: Int
  package let width: Int
  package let height: Int

  /// - Throws: if an edge is shorter than a pixel, or the numbers are too large for any picture.
  package init(x: Int, y: Int, width: Int, height: Int) throws(InvalidValue) {
    guard x >= 0, y >= 0 else {
      throw InvalidValue(code: "out-of-range", message: "x and y must be at least 0.")
    }
    guard width >= 1, height >= 1 else {
      throw InvalidValue(code: "out-of-range", message: "Width and height must be at least 1.")
    }
    let (_, isTooWide) = x.addingReportingOverflow(width)
    let (_, isTooHigh) = y.addingReportingOverflow(height)
    guard !isTooWide, !isTooHigh else {
      throw InvalidValue(code: "out-of-range", message: "The crop is larger than any picture.")
    }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Parses four whole numbers separated by commas.
  package init(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.first == "+" ? nil : Int($0) }
    guard parts.count == 4, numbers.count == 4 else {
      throw InvalidValue(
        code: "invalid-crop",
        message: "Must be x,y,width,height in whole pixels, like 0,40,640,480.")
    }
    try self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// - Throws: an error with the actual size if the crop is not inside the picture.
  package func check(inside picture: PixelSize) throws(InvalidValue) {
    guard x + width <= picture.width, y + height <= picture.height else {
      throw InvalidValue(
        code: "out-of-range",
        message:
          "The crop must be inside the picture, which is \(picture.width) × \(picture.height) pixels."
      )
    }
  }
}

extension Crop: CustomStringConvertible {
  package var description: String { "\(x),\(y),\(width),\(height)" }
}
