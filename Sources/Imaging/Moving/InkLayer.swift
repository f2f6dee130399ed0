/// A drawing for every frame of an animation: drawn once, then blended as often as needed.
///
/// An ink layer is immutable, so any thread may blend it over a picture of its own.
package final class InkLayer {
  private let width: Int
  private let ink: PixelBuffer
  /// For each row, the pixels from the first with ink to the last.
  private let spans: [Range<Int>]

  /// - Parameter drawing: RGBA, transparent outside the ink. The caller must not change it afterwards.
  package init(_ drawing: PixelBuffer) {
    (ink, width) = (drawing, drawing.width)
    let pixels = drawing.pixels
    spans = (0..<drawing.height).map { row in
      let alphas = (0..<drawing.width).lazy.map { pixels[4 * (row * drawing.width + $0) + 3] }
      guard let first = alphas.firstIndex(where: { $0 > 0 }),
        let last = alphas.lastIndex(where: { $0 > 0 })
      else { return 0..<0 }
      return first..<last + 1
    }
  }

  /// Blends the ink over a picture of the same size. Does nothing if the size differs.
  func lay(over picture: PixelBuffer) {
    guard picture.width == width, picture.height == spans.count else { return }
    let (source, target) = (ink.pixels, picture.pixels)
    let channels = picture.channels
    for (row, span) in spans.enumerated() {
      for column in span {
        let place = row * width + column
        let alpha = UInt32(source[4 * place + 3])
        if alpha == 0 { continue }
        let start = channels * place
        let below =
          channels == 4 ? (UInt32(target[start + 3]) * (255 - alpha) + 127) / 255 : 255 - alpha
        let together = alpha + below
        for channel in 0..<3 {
          let sum =
            UInt32(source[4 * place + channel]) * alpha + UInt32(target[start + channel]) * below
          target[start + channel] = UInt8(truncatingIfNeeded: (sum + together / 2) / together)
        }
        if channels == 4 { target[start + 3] = UInt8(truncatingIfNeeded: together) }
      }
    }
    withExtendedLifetime((self, picture)) {}
  }
}
