import Imaging
import Memes

/// The largest picture that may come out: what was asked for, within what its format may have.
struct OutputBounds {
  /// In pixels.
  let longestEdge: Int
  let pixels: Int

  /// - Parameter formats: those that may come of it, at least one.
  init(_ maxEdge: MaxEdge, _ formats: [OutputFormat]) {
    longestEdge = formats.map { $0.longestEdge(within: maxEdge) }.min() ?? maxEdge.pixels
    pixels = formats.map(\.maximumPixels).min() ?? .max
  }

  /// The longest edge of a picture that has these proportions.
  func longestEdge(of size: PixelSize) -> Int {
    min(longestEdge, size.longestEdge(withinPixels: pixels))
  }

  func hold(_ size: PixelSize) -> Bool {
    size.height <= longestEdge && size.width * size.height <= pixels
  }

  /// Whether a picture of this size has nearly all that it may.
  func areNearlyFilled(by size: PixelSize) -> Bool {
    size.height * 100 >= longestEdge * 99 || size.width * size.height >= pixels / 100 * 98
  }

  /// The next edge to try, after one that led to this size.
  func edge(after edge: Int, with size: PixelSize) -> Int {
    let ratio = (Double(pixels) / Double(size.width * size.height)).squareRoot()
    return min(edge * longestEdge / size.height, Int(min(Double(edge) * ratio, 1e9)))
  }
}
