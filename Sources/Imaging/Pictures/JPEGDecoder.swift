import CTurboJPEG

/// Decodes common JPEG files with libjpeg-turbo directly.
///
/// libvips would pass the same pixels through several of its operations, strip by strip. For small pictures, that takes
/// about as long as the decoding.
enum JPEGDecoder {
  /// Decodes a whole file, unless it needs more than this decoder can do.
  ///
  /// - Parameters:
  ///   - scale: decodes at 1 / `scale` of the size: 1, 2, 4 or 8.
  ///   - size: the size of the result, upright.
  ///   - buffer: receives the pixels.
  /// - Returns: whether the picture was decoded. If not, libvips must decode it: the file needs another color space or
  ///   a finer filter, or libjpeg-turbo warns about it. A warning may mean that the file ends early, or nothing.
  static func decode(
    _ file: UnsafeRawBufferPointer, header: PictureHeader, scale: Int,
    to size: (width: Int, height: Int), into buffer: PixelBuffer
  ) throws(ImagingError) -> Bool {
    guard header.kind == .jpeg, header.conversion == nil else { return false }
    // Rounded up, as libjpeg does.
    let (width, height) = ((header.width - 1) / scale + 1, (header.height - 1) / scale + 1)
    let isWanted = (width, height) == size
    guard
      isWanted
        || AreaAverage.factors.contains(Double(width) / Double(size.width))
          && AreaAverage.factors.contains(Double(height) / Double(size.height))
    else { return false }
    let isTurned = header.orientation > 1
    let stored = isWanted && !isTurned ? buffer : PixelBuffer()
    guard try read(file, header: header, scale: scale, into: stored) else { return false }
    if isWanted {
      if isTurned { try PictureDecoder.turn(stored, by: header.orientation, into: buffer) }
      return true
    }
    var upright = stored
    if isTurned {
      upright = PixelBuffer()
      try PictureDecoder.turn(stored, by: header.orientation, into: upright)
    }
    try upright.scale(toWidth: size.width, height: size.height, into: buffer)
    return true
  }

  /// Decodes the picture as it is stored, not upright.
  ///
  /// - Returns: whether all pixels were decoded without a warning.
  private static func read(
    _ file: UnsafeRawBufferPointer, header: PictureHeader, scale: Int, into buffer: PixelBuffer
  ) throws(ImagingError) -> Bool {
    guard let decompressor = tjInitDecompress() else { return false }
    defer { tjDestroy(decompressor) }
    let bytes = file.assumingMemoryBound(to: UInt8.self).baseAddress
    var (fileWidth, fileHeight, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        decompressor, bytes, UInt(file.count), &fileWidth, &fileHeight, &sampling, &space) == 0,
      [TJCS_YCbCr, TJCS_RGB, TJCS_GRAY].contains(where: { Int32($0.rawValue) == space }),
      (Int(fileWidth), Int(fileHeight)) == header.storedSize
    else { return false }
    let (width, height) = ((Int(fileWidth) - 1) / scale + 1, (Int(fileHeight) - 1) / scale + 1)
    try buffer.reserve(width: width, height: height, channels: 3)
    buffer.reshape(width: width, height: height, channels: 3)
    defer { withExtendedLifetime(buffer) {} }
    return tjDecompress2(
      decompressor, bytes, UInt(file.count),
      buffer.pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(width), 0, Int32(height),
      Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING) == 0
  }
}
