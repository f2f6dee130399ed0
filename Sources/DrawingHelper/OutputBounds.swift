import Imaging
import Memes

/// The largest picture that may result: the requested size, if there is one, limited by the possible formats.
struct OutputBounds {
  /// In pixels.
  let longestEdge: Int
  /// The largest height, at most ``longestEdge``.
  let height: Int
  let pixels: Int
  private let sizeLimit: PixelSize?

  /// - Parameters:
  ///   - formats: the possible formats of the result, at least one.
  ///   - sizeLimit: the largest width and height; `nil` for no such limit.
  init(_ formats: [OutputFormat], within maxEdge: MaxEdge? = nil, _ sizeLimit: PixelSize? = nil) {
    longestEdge = min(maxEdge?.pixels ?? .max, formats.compactMap(\.longestEdge).min() ?? .max)
    height = min(longestEdge, sizeLimit?.height ?? .max)
    pixels = formats.map(\.maximumPixels).min() ?? .max
    self.sizeLimit = sizeLimit
  }

  /// The longest edge that a picture of these proportions may have.
  func longestEdge(of size: PixelSize) -> Int {
    let longest = min(longestEdge, size.longestEdge(withinPixels: pixels))
    guard let sizeLimit else { return longest }
    let ratio = min(
      Double(sizeLimit.width) / Double(size.width), Double(sizeLimit.height) / Double(size.height))
    guard ratio < 1 else { return longest }
    return min(longest, max(1, Int((Double(size.longestEdge) * ratio).rounded())))
  }

  /// Whether a picture of this size with bars is small enough. Its width is that of a smaller picture without them.
  func hold(_ size: PixelSize) -> Bool {
    size.height <= height && size.width * size.height <= pixels
  }

  /// Whether a picture of this size uses at least 99% of the height or 98% of the pixels.
  func areNearlyFilled(by size: PixelSize) -> Bool {
    size.height * 100 >= height * 99 || size.width * size.height >= pixels / 100 * 98
  }

  /// The next edge to try, if `edge` led to a picture of this size.
  func edge(after edge: Int, with size: PixelSize) -> Int {
    let ratio = (Double(pixels) / Double(size.width * size.height)).squareRoot()
    return min(edge * height / size.height, Int(min(Double(edge) * ratio, 1e9)))
  }
}
