package import Bytes
import CVips

/// Decodes picture files into pixels.
package enum PictureDecoder {
  /// Decodes the first frame: upright, sRGB, 8 bits, never larger than the picture in the file.
  ///
  /// - Parameters:
  ///   - crop: the area to keep, inside the picture; `nil` keeps the whole picture. The decoder also reads the rest,
  ///     row by row, to verify that the file is complete.
  ///   - maximumEdge: the limit on the edges of the result, in pixels. A larger picture is scaled down in proportion.
  ///   - buffer: receives the pixels. It has an alpha channel only if a pixel is actually transparent.
  /// - Throws: ``ImagingError/broken(_:)`` if the file ends early or cannot be decoded.
  package static func decode(
    _ file: Bytes, header: PictureHeader, crop: CropArea? = nil, maximumEdge: Int,
    into buffer: PixelBuffer
  ) throws(ImagingError) {
    do throws(ImagingError) {
      try header.decodable(file).withUnsafeBytes { memory throws(ImagingError) in
        let scale = readingScale(of: header, crop: crop, maximumEdge: maximumEdge)
        // Computed from the full-size area, because the rounding in the reading scale must not change the proportions.
        let size = PixelBuffer.size(
          fitting: maximumEdge, width: crop?.width ?? header.width,
          height: crop?.height ?? header.height)
        if crop == nil,
          try JPEGDecoder.decode(memory, header: header, scale: scale, to: size, into: buffer)
        {
          return
        }
        let whole = try load(memory, header: header, scale: scale)
        guard let crop else { return try develop(whole, of: header, size: size, into: buffer) }
        let area = crop.stored(
          orientation: whole.orientation, uprightWidth: header.width, height: header.height
        ).shrunk(by: scale)
        try develop(extract(area, from: whole), of: header, size: size, into: buffer)
        guard whole.read(rows: area.top + area.height..<whole.height) else {
          throw .library(operation: "read", message: Vips.takeErrorText())
        }
      }
    } catch {
      guard case .library(_, let message) = error else { throw error }
      throw ImagingError(reading: message)
    }
    buffer.dropOpaqueAlpha()
  }

  /// Converts a loaded picture to pixels.
  ///
  /// - Parameter size: the size of the pixels, upright.
  private static func develop(
    _ loaded: consuming VipsHandle, of header: PictureHeader, size: (width: Int, height: Int),
    into buffer: PixelBuffer
  ) throws(ImagingError) {
    var picture = loaded
    // A JPEG is now less than twice as large as needed, or an eighth of its size, so it may be in memory as a whole.
    let factor =
      Double(max(picture.width, picture.height)) / Double(max(size.width, size.height))
    let isAveraged = header.kind == .jpeg && AreaAverage.factors.contains(factor)
    if !isAveraged { picture = try shrink(picture, to: size) }
    let orientation = picture.orientation
    picture = try standardColours(picture, by: header.conversion)
    guard isAveraged else { return try write(picture, turnedBy: orientation, into: buffer) }
    let whole = PixelBuffer()
    try write(picture, turnedBy: orientation, into: whole)
    try whole.scale(toWidth: size.width, height: size.height, into: buffer)
  }

  /// Returns the factor by which the file is read at a smaller scale: 2, 4 or 8 if the JPEG decoder can
  /// apply it, else 1.
  private static func readingScale(
    of header: PictureHeader, crop: CropArea?, maximumEdge: Int
  ) -> Int {
    guard header.kind == .jpeg else { return 1 }
    let factor =
      if let crop {
        // The crop may lose a pixel of the smaller picture at each edge.
        min(
          max(crop.width, crop.height) / (maximumEdge + 2),
          min(crop.width, crop.height) / CropArea.shortestEdge)
      } else {
        // libvips rounds the quotient down, so an edge shorter than the divisor would become empty.
        min(
          max(header.width, header.height) / maximumEdge, min(header.width, header.height))
      }
    return [8, 4, 2].first { $0 <= factor } ?? 1
  }

  /// Opens the file as a stream of rows.
  ///
  /// `thumbnail_buffer` would do the work of this whole file, but libvips 8.14 ignores `fail-on` there and fills the
  /// missing part of a truncated picture with gray.
  private static func load(
    _ memory: UnsafeRawBufferPointer, header: PictureHeader, scale: Int
  ) throws(ImagingError) -> VipsHandle {
    let load = try VipsCall(header.kind.loader)
    load.set("buffer", memory)
    load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
    load.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
    if header.kind == .jpeg { load.set("shrink", scale) }
    return try load.image()
  }

  private static func extract(
    _ area: CropArea, from picture: borrowing VipsHandle
  ) throws(ImagingError) -> VipsHandle {
    let extract = try VipsCall("extract_area")
    extract.set("input", picture)
    extract.set("left", area.left)
    extract.set("top", area.top)
    extract.set("width", area.width)
    extract.set("height", area.height)
    return try extract.image()
  }

  /// - Parameter size: the new size of the upright picture.
  private static func shrink(
    _ picture: consuming VipsHandle, to size: (width: Int, height: Int)
  ) throws(ImagingError) -> VipsHandle {
    let (width, height) = picture.isTurned ? (size.height, size.width) : size
    guard (width, height) != (picture.width, picture.height) else { return picture }
    // The color of transparent pixels must not bleed into their neighbors.
    let (hasAlpha, format) = (picture.hasAlpha, picture.format)
    if hasAlpha { picture = try VipsCall("premultiply").image(from: picture) }
    let resize = try VipsCall("resize")
    resize.set("in", picture)
    resize.set("scale", Double(width) / Double(picture.width))
    resize.set("vscale", Double(height) / Double(picture.height))
    resize.set("kernel", Int(VIPS_KERNEL_CUBIC.rawValue))
    resize.set("gap", 2.0)
    picture = try resize.image()
    guard hasAlpha else { return picture }
    picture = try VipsCall("unpremultiply").image(from: picture)
    // The result is floating-point, which the profile conversion would read as 8-bit values.
    return try cast(picture, to: format)
  }

  /// Converts to three or four bands of 8-bit sRGB, from gray, CMYK, 16 bits, another profile or more bands.
  static func standardColours(
    _ picture: consuming VipsHandle, by conversion: ColorProfile.Conversion?
  ) throws(ImagingError) -> VipsHandle {
    if let conversion {
      let transform = try VipsCall("icc_transform")
      transform.set("in", picture)
      transform.set("embedded", 1)
      transform.set("output-profile", "srgb")
      let intent = conversion == .relative ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL
      transform.set("intent", Int(intent.rawValue))
      // The transform does not change alpha, so 16-bit colors must stay at 16 bits until both become 8 bits.
      transform.set("depth", picture.isEightBit ? 8 : 16)
      // Black in print is less deep than black on a screen. Compensation maps print black to screen black.
      transform.set("black-point-compensation", 1)
      picture = try transform.image()
    }
    if !picture.isRGB || !picture.isEightBit {
      let convert = try VipsCall("colourspace")
      convert.set("in", picture)
      convert.set("space", Int(VIPS_INTERPRETATION_sRGB.rawValue))
      picture = try convert.image()
    }
    if !picture.isEightBit { picture = try cast(picture, to: VIPS_FORMAT_UCHAR) }
    let wanted = picture.hasAlpha ? 4 : 3
    if picture.bands > wanted {
      let extract = try VipsCall("extract_band")
      extract.set("in", picture)
      extract.set("band", 0)
      extract.set("n", wanted)
      picture = try extract.image()
    }
    guard picture.bands == wanted else {
      throw .library(operation: "decode", message: "\(picture.bands) bands")
    }
    return picture
  }

  private static func cast(
    _ picture: borrowing VipsHandle, to format: VipsBandFormat
  ) throws(ImagingError) -> VipsHandle {
    let cast = try VipsCall("cast")
    cast.set("in", picture)
    cast.set("format", Int(format.rawValue))
    return try cast.image()
  }

  private static func write(
    _ picture: borrowing VipsHandle, turnedBy orientation: Int, into buffer: PixelBuffer
  ) throws(ImagingError) {
    guard orientation > 1 else { return try write(picture, into: buffer) }
    // A rotated picture does not deliver its rows in order, so decode it first.
    let stored = PixelBuffer()
    try write(picture, into: stored)
    try turn(stored, by: orientation, into: buffer)
  }

  /// Makes a picture upright.
  ///
  /// - Parameter orientation: the EXIF orientation.
  static func turn(
    _ stored: PixelBuffer, by orientation: Int, into buffer: PixelBuffer
  ) throws(ImagingError) {
    defer { withExtendedLifetime(stored) {} }
    let picture = try stored.handle()
    picture.setOrientation(orientation)
    try write(try VipsCall("autorot").image(from: picture), into: buffer)
  }

  static func write(_ picture: borrowing VipsHandle, into buffer: PixelBuffer) throws(ImagingError)
  {
    try write(picture, rows: 0..<picture.height, into: buffer)
  }

  static func write(
    _ picture: borrowing VipsHandle, rows: Range<Int>, into buffer: PixelBuffer
  ) throws(ImagingError) {
    try buffer.reserve(width: picture.width, height: rows.count, channels: picture.bands)
    buffer.reshape(width: picture.width, height: rows.count, channels: picture.bands)
    guard picture.write(rows: rows, to: buffer.pixels) else {
      throw .library(operation: "write", message: Vips.takeErrorText())
    }
  }
}
