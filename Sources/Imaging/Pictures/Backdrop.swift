import Foundation

/// Puts a picture, or the frames of an animation, in the middle of a larger canvas.
///
/// Around it, the canvas shows the same picture, or the first frame, stretched, blurred and darkened. Around a
/// transparent picture, it is transparent.
package struct Backdrop {
  /// The edges of the small copy that is blurred and enlarged, in pixels.
  private static let smallEdge = 40
  private static let blurs = 8
  /// How bright the backdrop is, of the picture.
  private static let brightness: Float = 0.5

  /// The size of the canvas, in pixels.
  let size: (width: Int, height: Int)
  private var width: Int { size.width }
  private var height: Int { size.height }

  /// - Parameters: the size of the canvas, in pixels.
  package init(width: Int, height: Int) { size = (width, height) }

  /// Draws in place.
  ///
  /// - Parameters:
  ///   - picture: one that is larger than the canvas is scaled down to fit.
  ///   - canvas, small: buffers whose pictures are lost.
  package func put(
    behind picture: PixelBuffer, on canvas: PixelBuffer, small: PixelBuffer
  ) throws(ImagingError) {
    try fit(picture, with: canvas)
    guard (picture.width, picture.height) != (width, height) else { return }
    try paint(picture, on: canvas, small: small)
    lay(picture, on: canvas)
    try picture.copy(canvas)
  }

  /// Scales a picture down that is larger than the canvas.
  ///
  /// - Parameter other: a buffer whose picture is lost.
  func fit(_ picture: PixelBuffer, with other: PixelBuffer) throws(ImagingError) {
    let scale = min(
      1, Double(width) / Double(picture.width), Double(height) / Double(picture.height))
    guard scale < 1 else { return }
    try picture.scale(
      toWidth: min(width, max(1, Int((Double(picture.width) * scale).rounded()))),
      height: min(height, max(1, Int((Double(picture.height) * scale).rounded()))), into: other)
    try picture.copy(other)
  }

  /// Paints the canvas without the picture in its middle.
  ///
  /// - Parameter small: a buffer whose picture is lost.
  func paint(
    _ picture: PixelBuffer, on canvas: PixelBuffer, small: PixelBuffer
  ) throws(ImagingError) {
    if picture.isOpaque {
      try picture.scale(
        toWidth: min(Self.smallEdge, picture.width), height: min(Self.smallEdge, picture.height),
        into: small)
      Self.blurAndDarken(small)
      try small.resample(toWidth: width, height: height, into: canvas)
    } else {
      try canvas.clear(width: width, height: height)
    }
    guard (canvas.width, canvas.height, canvas.channels) == (width, height, picture.channels) else {
      throw .library(operation: "thumbnail_image", message: "the backdrop has another shape")
    }
  }

  /// Copies a picture that fits into the middle of the painted canvas.
  func lay(_ picture: PixelBuffer, on canvas: PixelBuffer) {
    let (left, top) = ((width - picture.width) / 2, (height - picture.height) / 2)
    guard let from = picture.pixels.baseAddress, let to = canvas.pixels.baseAddress else { return }
    for row in 0..<picture.height {
      memcpy(
        to + (top + row) * canvas.bytesPerRow + left * canvas.channels,
        from + row * picture.bytesPerRow, picture.bytesPerRow)
    }
    withExtendedLifetime((picture, canvas)) {}
  }

  /// Replaces each pixel by the mean of three, in turns along rows and columns. Repeated, that is close to a Gaussian
  /// blur. The result is opaque.
  private static func blurAndDarken(_ picture: PixelBuffer) {
    let (width, height, column, row) = (
      picture.width, picture.height, picture.channels, picture.bytesPerRow
    )
    var values = picture.pixels.map { Float($0) }
    for _ in 0..<blurs {
      values = values.indices.map { index in
        let x = index / column % width
        return
          (values[x > 0 ? index - column : index] + values[index]
          + values[x < width - 1 ? index + column : index]) / 3
      }
      values = values.indices.map { index in
        let y = index / row
        return
          (values[y > 0 ? index - row : index] + values[index]
          + values[y < height - 1 ? index + row : index]) / 3
      }
    }
    for (index, value) in values.enumerated() {
      let isAlpha = column == 4 && index % 4 == 3
      picture.pixels[index] = isAlpha ? 255 : UInt8((value * brightness).rounded())
    }
  }
}
