package import Bytes
import CVips

/// Turns a picture file into pixels.
package enum PictureDecoder {
  /// Decodes the first frame: upright, sRGB, 8 bits, never larger than the file's picture.
  ///
  /// - Parameters:
  ///   - maximumEdge: the picture is made smaller, in proportion, until no edge is longer. In pixels.
  ///   - buffer: gets the pixels; has an alpha channel only where something is really transparent.
  /// - Throws: ``ImagingError/broken(_:)`` where the file ends early or cannot be decoded.
  package static func decode(
    _ file: Bytes, header: PictureHeader, maximumEdge: Int, into buffer: PixelBuffer
  ) throws(ImagingError) {
    do throws(ImagingError) {
      try file.withUnsafeBytes { memory throws(ImagingError) in
        var picture = try load(memory, header: header, maximumEdge: maximumEdge)
        // A JPEG is less than twice as large as wanted now, or an eighth of itself: all of it may be in memory.
        let factor = Double(max(picture.width, picture.height)) / Double(maximumEdge)
        let isAveraged = header.kind == .jpeg && AreaAverage.factors.contains(factor)
        // Of the whole picture: what is left of a division while decoding must not change the proportions.
        let size = PixelBuffer.size(
          fitting: maximumEdge, width: header.width, height: header.height)
        if !isAveraged { picture = try shrink(picture, to: size) }
        picture = try standardColours(picture, by: header.conversion)
        picture = try upright(picture)
        guard isAveraged else { return try write(picture, into: buffer) }
        let whole = PixelBuffer()
        try write(picture, into: whole)
        try whole.scale(toWidth: size.width, height: size.height, into: buffer)
      }
    } catch {
      guard case .library(_, let message) = error else { throw error }
      throw ImagingError(reading: message)
    }
    buffer.dropOpaqueAlpha()
  }

  /// Opens the file as a stream of rows, at half, a quarter or an eighth where JPEG can do that while decoding.
  ///
  /// Not `thumbnail_buffer`, which does all that this file does: libvips 8.14 forgets its `fail-on` there, and
  /// takes what is missing of a truncated picture for grey.
  private static func load(
    _ memory: UnsafeRawBufferPointer, header: PictureHeader, maximumEdge: Int
  ) throws(ImagingError) -> VipsHandle {
    let load = try VipsCall(header.kind.loader)
    load.set("buffer", memory)
    load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
    load.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
    if header.kind == .jpeg {
      // libvips cuts off what is left of a division: an edge shorter than the divisor would be none at all.
      let shortest = min(header.width, header.height)
      let factor = min(max(header.width, header.height) / maximumEdge, shortest)
      load.set("shrink", [8, 4, 2].first { $0 <= factor } ?? 1)
    }
    return try load.image()
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

  /// Turns the picture as EXIF says. Rows cannot come in order any more, so it is decoded first.
  private static func upright(_ picture: consuming VipsHandle) throws(ImagingError) -> VipsHandle {
    guard picture.isOrientated else { return picture }
    guard let decoded = picture.inMemory() else {
      throw .library(operation: "image_copy_memory", message: Vips.takeErrorText())
    }
    return try VipsCall("autorot").image(from: decoded)
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
