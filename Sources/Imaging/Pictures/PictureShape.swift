/// The crop, size and bars of a picture or of each frame of an animation, before anything is drawn on it.
package struct PictureShape: Sendable, Equatable {
  /// The area to keep, inside the picture; `nil` keeps the whole picture.
  package var crop: CropArea?
  /// The limit on the edges of the scaled picture, in pixels. A larger picture is scaled down in proportion.
  package var maximumEdge: Int
  /// The number of white rows to add after scaling.
  package var above = 0
  package var below = 0

  package init(maximumEdge: Int) { self.maximumEdge = maximumEdge }

  /// Returns the final size of a picture of this size. A still picture that is read at a smaller scale may be a
  /// row taller or shorter.
  package func size(ofWidth width: Int, height: Int) -> (width: Int, height: Int) {
    let size = PixelBuffer.size(
      fitting: maximumEdge, width: crop?.width ?? width, height: crop?.height ?? height)
    return (size.width, size.height + above + below)
  }

  /// Crops `whole` in place, scales it into `frame` and adds the bars there.
  func make(of whole: PixelBuffer, into frame: PixelBuffer) throws(ImagingError) {
    if let crop { whole.crop(to: crop) }
    let size = PixelBuffer.size(fitting: maximumEdge, width: whole.width, height: whole.height)
    try whole.scale(toWidth: size.width, height: size.height, into: frame)
    try frame.addBars(above: above, below: below)
  }
}
