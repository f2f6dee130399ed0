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
        let picture = try upright(memory, header: header, maximumEdge: maximumEdge)
        try write(try standard(picture), into: buffer)
      }
    } catch {
      guard case .library(_, let message) = error else { throw error }
      throw .broken(message)
    }
    buffer.dropOpaqueAlpha()
  }

  private static func upright(
    _ memory: UnsafeRawBufferPointer, header: PictureHeader, maximumEdge: Int
  ) throws(ImagingError) -> VipsHandle {
    // Reads no more of the file than the size asked for needs, turns by EXIF and converts by the embedded profile.
    let thumbnail = try VipsCall("thumbnail_buffer")
    thumbnail.set("buffer", memory)
    thumbnail.set("width", maximumEdge)
    thumbnail.set("height", maximumEdge)
    thumbnail.set("size", Int(VIPS_SIZE_DOWN.rawValue))
    if header.hasForeignProfile { thumbnail.set("export-profile", "srgb") }
    thumbnail.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
    return try thumbnail.image()
  }

  /// Three or four bands of 8 bits, whatever came: grey, 16 bits, more bands.
  private static func standard(_ picture: consuming VipsHandle) throws(ImagingError) -> VipsHandle {
    var picture = picture
    if !picture.isRGB || !picture.isEightBit {
      let convert = try VipsCall("colourspace")
      convert.set("in", picture)
      convert.set("space", Int(VIPS_INTERPRETATION_sRGB.rawValue))
      picture = try convert.image()
    }
    if !picture.isEightBit {
      let cast = try VipsCall("cast")
      cast.set("in", picture)
      cast.set("format", Int(VIPS_FORMAT_UCHAR.rawValue))
      picture = try cast.image()
    }
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

  static func write(_ picture: borrowing VipsHandle, into buffer: PixelBuffer) throws(ImagingError)
  {
    buffer.reshape(width: picture.width, height: picture.height, channels: picture.bands)
    guard picture.write(to: buffer.pixels) else {
      throw .library(operation: "write", message: Vips.takeErrorText())
    }
  }
}
