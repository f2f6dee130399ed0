package import Bytes
import CVips

/// Turns a picture file into pixels.
package enum PictureDecoder {
  /// Decodes the first frame: upright, sRGB, 8 bits, never larger than the file's picture.
  ///
  /// - Parameters:
  ///   - crop: what is kept, inside the picture; `nil`: all of it. The rest is read too, since the file must be whole, and
  ///     let go row by row.
  ///   - maximumEdge: what is kept is made smaller, in proportion, until no edge is longer. In pixels.
  ///   - buffer: gets the pixels; has an alpha channel only where something is really transparent.
  /// - Throws: ``ImagingError/broken(_:)`` where the file ends early or cannot be decoded.
  package static func decode(
    _ file: Bytes, header: PictureHeader, crop: CropArea? = nil, maximumEdge: Int,
    into buffer: PixelBuffer
  ) throws(ImagingError) {
    do throws(ImagingError) {
      try file.withUnsafeBytes { memory throws(ImagingError) in
        let scale = readingScale(of: header, crop: crop, maximumEdge: maximumEdge)
        let whole = try load(memory, header: header, scale: scale)
        // Of all that is kept: what is left of a division while reading must not change the proportions.
        let size = PixelBuffer.size(
          fitting: maximumEdge, width: crop?.width ?? header.width,
          height: crop?.height ?? header.height)
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

  /// Makes pixels of what was loaded.
  ///
  /// - Parameter size: of the pixels, upright.
  private static func develop(
    _ loaded: consuming VipsHandle, of header: PictureHeader, size: (width: Int, height: Int),
    into buffer: PixelBuffer
  ) throws(ImagingError) {
    var picture = loaded
    // A JPEG is less than twice as large as wanted now, or an eighth of itself: all of it may be in memory.
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

  /// How many times smaller the file is read: 2, 4 or 8 where JPEG can do that while decoding.
  private static func readingScale(
    of header: PictureHeader, crop: CropArea?, maximumEdge: Int
  ) -> Int {
    guard header.kind == .jpeg else { return 1 }
    let factor =
      if let crop {
        // A pixel of the smaller picture may be lost at each edge of the crop.
        min(
          max(crop.width, crop.height) / (maximumEdge + 2),
          min(crop.width, crop.height) / CropArea.shortestEdge)
      } else {
        // libvips cuts off what is left of a division: an edge shorter than the divisor would be none at all.
        min(
          max(header.width, header.height) / maximumEdge, min(header.width, header.height))
      }
    return [8, 4, 2].first { $0 <= factor } ?? 1
  }

  /// Opens the file as a stream of rows.
  ///
  /// Not `thumbnail_buffer`, which does all that this file does: libvips 8.14 forgets its `fail-on` there, and
  /// takes what is missing of a truncated picture for grey.
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

  /// - Parameter size: upright.
  private static func shrink(
    _ picture: consuming VipsHandle, to size: (width: Int, height: Int)
  ) throws(ImagingError) -> VipsHandle {
    let (width, height) = picture.isTurned ? (size.height, size.width) : size
    guard (width, height) != (picture.width, picture.height) else { return picture }
    // A colour that nobody sees must not bleed into its neighbours.
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
    // These are fractions, which the conversion of profiles would take for numbers of 8 bits.
    return try cast(picture, to: format)
  }

  /// Three or four bands of 8 bits sRGB, whatever came: grey, CMYK, 16 bits, another profile, more bands.
  static func standardColours(
    _ picture: consuming VipsHandle, by conversion: ColourProfile.Conversion?
  ) throws(ImagingError) -> VipsHandle {
    if let conversion {
      let transform = try VipsCall("icc_transform")
      transform.set("in", picture)
      transform.set("embedded", 1)
      transform.set("output-profile", "srgb")
      let intent = conversion == .relative ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL
      transform.set("intent", Int(intent.rawValue))
      // Alpha stays as it is, so colours of 16 bits must stay beside it until both become 8 bits.
      transform.set("depth", picture.isEightBit ? 8 : 16)
      // A press has no black as deep as a screen's: what is meant to be black must be.
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
    // Rows cannot come in order once it is turned, so it is decoded first.
    let stored = PixelBuffer()
    try write(picture, into: stored)
    try turn(stored, by: orientation, into: buffer)
  }

  /// Makes a picture upright.
  ///
  /// - Parameter orientation: as EXIF numbers them.
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
