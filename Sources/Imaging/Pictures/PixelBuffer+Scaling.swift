import CVips

extension PixelBuffer {
  /// Makes `target` a smaller picture of this one that fits in a square, in proportion and never enlarged.
  ///
  /// - Parameter edge: of the square, in pixels.
  package func scale(toFit edge: Int, into target: PixelBuffer) throws(ImagingError) {
    let factor = max(width, height) / edge
    guard factor > 1 else { return try resample(toFit: edge, into: target) }
    // Whole blocks first, which is many times faster; what is left is a fraction.
    let blocks = PixelBuffer()
    average(factor, into: blocks)
    try blocks.resample(
      toFit: edge, width: width, height: height, into: target)
  }

  private func resample(toFit edge: Int, into target: PixelBuffer) throws(ImagingError) {
    try resample(toFit: edge, width: width, height: height, into: target)
  }

  /// - Parameters: `width`, `height`: of the picture whose proportions count.
  private func resample(
    toFit edge: Int, width fullWidth: Int, height fullHeight: Int, into target: PixelBuffer
  ) throws(ImagingError) {
    defer { withExtendedLifetime(self) {} }
    let ratio = min(1, Double(edge) / Double(max(fullWidth, fullHeight)))
    let thumbnail = try VipsCall("thumbnail_image")
    thumbnail.set("in", try handle())
    thumbnail.set("width", max(1, Int((Double(fullWidth) * ratio).rounded())))
    thumbnail.set("height", max(1, Int((Double(fullHeight) * ratio).rounded())))
    thumbnail.set("size", Int(VIPS_SIZE_FORCE.rawValue))
    thumbnail.set("auto-rotate", 0)
    try PictureDecoder.write(try thumbnail.image(), into: target)
  }

  /// The pixels as libvips sees them: not copied, so the buffer must outlive the handle.
  func handle() throws(ImagingError) -> VipsHandle {
    try Vips.start()
    let memory = pixels
    guard
      let image = vips_image_new_from_memory(
        memory.baseAddress, memory.count, Int32(width), Int32(height), Int32(channels),
        VIPS_FORMAT_UCHAR)
    else { throw .library(operation: "image_new_from_memory", message: Vips.takeErrorText()) }
    // Otherwise it would be bands of numbers rather than colours.
    image.pointee.Type = VIPS_INTERPRETATION_sRGB
    return VipsHandle(owning: image)
  }
}
