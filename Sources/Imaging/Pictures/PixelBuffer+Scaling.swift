import CVips

extension PixelBuffer {
  /// Returns the size that fits in a square, in proportion and never enlarged.
  package static func size(
    fitting edge: Int, width: Int, height: Int
  ) -> (width: Int, height: Int) {
    let ratio = min(1, Double(edge) / Double(max(width, height)))
    return (
      max(1, Int((Double(width) * ratio).rounded())),
      max(1, Int((Double(height) * ratio).rounded()))
    )
  }

  /// Scales this picture down to a thumbnail in `target`: it fits in a square, in proportion and never enlarged.
  ///
  /// - Parameter edge: the edge of the square, in pixels.
  package func scale(toFit edge: Int, into target: PixelBuffer) throws(ImagingError) {
    let size = Self.size(fitting: edge, width: width, height: height)
    try scale(
      toWidth: size.width, height: size.height, averaging: AreaAverage.thumbnailFactors,
      into: target)
  }

  /// Scales this picture down into `target`, to exactly this size.
  ///
  /// - Parameter factors: the reduction factors for which a pixel is the mean of the area that it covers. With others,
  ///   a finer filter is used.
  func scale(
    toWidth newWidth: Int, height newHeight: Int,
    averaging factors: ClosedRange<Double> = AreaAverage.factors, into target: PixelBuffer
  ) throws(ImagingError) {
    guard (newWidth, newHeight) != (width, height) else { return try target.copy(self) }
    guard channels == 3, factors.contains(Double(width) / Double(newWidth)),
      factors.contains(Double(height) / Double(newHeight))
    else {
      return try resample(toWidth: newWidth, height: newHeight, into: target)
    }
    try target.reserve(width: newWidth, height: newHeight, channels: channels)
    target.reshape(width: newWidth, height: newHeight, channels: channels)
    AreaAverage(of: self, into: target).run()
  }

  func resample(
    toWidth newWidth: Int, height newHeight: Int, into target: PixelBuffer
  ) throws(ImagingError) {
    defer { withExtendedLifetime(self) {} }
    let thumbnail = try VipsCall("thumbnail_image")
    thumbnail.set("in", try handle())
    thumbnail.set("width", newWidth)
    thumbnail.set("height", newHeight)
    thumbnail.set("size", Int(VIPS_SIZE_FORCE.rawValue))
    thumbnail.set("auto-rotate", 0)
    try PictureDecoder.write(try thumbnail.image(), into: target)
  }

  /// Returns a libvips image of the pixels. It does not copy them, so the buffer must outlive the handle.
  func handle() throws(ImagingError) -> VipsHandle {
    try Vips.start()
    let memory = pixels
    guard
      let image = vips_image_new_from_memory(
        memory.baseAddress, memory.count, Int32(width), Int32(height), Int32(channels),
        VIPS_FORMAT_UCHAR)
    else { throw .library(operation: "image_new_from_memory", message: Vips.takeErrorText()) }
    // Without this, libvips would treat the bands as plain numbers instead of colors.
    image.pointee.Type = VIPS_INTERPRETATION_sRGB
    return VipsHandle(owning: image)
  }
}
