import Imaging
import Memes

/// The largest picture that may result: the requested size, if there is one, limited by the possible formats.
struct OutputBounds {
  /// In pixels.
  let longestEdge: Int
  let pixels: Int

  /// - Parameter formats: the possible formats of the result, at least one.
  init(_ formats: [OutputFormat], within maxEdge: MaxEdge? = nil) {
    longestEdge = min(maxEdge?.pixels ?? .max, formats.compactMap(\.longestEdge).min() ?? .max)
    pixels = formats.map(\.maximumPixels).min() ?? .max
  }

  /// The longest edge that a picture of these proportions may have.
  func longestEdge(of size: PixelSize) -> Int {
    min(longestEdge, size.longestEdge(withinPixels: pixels))
  }

  func hold(_ size: PixelSize) -> Bool {
    size.height <= longestEdge && size.width * size.height <= pixels
  }

  /// Whether a picture of this size uses at least 99% of the longest edge or 98% of the pixels.
  func areNearlyFilled(by size: PixelSize) -> Bool {
    size.height * 100 >= longestEdge * 99 || size.width * size.height >= pixels / 100 * 98
  }

  /// The next edge to try, if `edge` led to a picture of this size.
  func edge(after edge: Int, with size: PixelSize) -> Int {
    let ratio = (Double(pixels) / Double(size.width * size.height)).squareRoot()
    return min(edge * longestEdge / size.height, Int(min(Double(edge) * ratio, 1e9)))
  }
}
