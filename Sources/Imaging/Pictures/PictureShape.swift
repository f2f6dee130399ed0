/// What becomes of a picture, or of each frame of one that moves, before anything is drawn on it.
package struct PictureShape: Sendable, Equatable {
  /// What is kept, inside the picture; `nil`: all of it.
  package var crop: CropArea?
  /// What is kept is made smaller, in proportion, until no edge is longer. In pixels.
  package var maximumEdge: Int
  /// White rows that are added then.
  package var above = 0
  package var below = 0

  package init(maximumEdge: Int) { self.maximumEdge = maximumEdge }

  /// The size in the end, of a picture of this size. A still that is read at a smaller scale may be a row higher or lower.
  package func size(ofWidth width: Int, height: Int) -> (width: Int, height: Int) {
    let size = PixelBuffer.size(
      fitting: maximumEdge, width: crop?.width ?? width, height: crop?.height ?? height)
    return (size.width, size.height + above + below)
  }

  /// Gives a frame its shape.
  func make(of whole: PixelBuffer, into frame: PixelBuffer) throws(ImagingError) {
    if let crop { whole.crop(to: crop) }
    try whole.scale(toFit: maximumEdge, into: frame)
    try frame.addBars(above: above, below: below)
  }
}
