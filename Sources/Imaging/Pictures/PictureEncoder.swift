package import Bytes
import CVips

/// Turns pixels into a picture file without metadata.
package enum PictureEncoder {
  /// A baseline JPEG, chroma subsampled 4:2:0. Transparency goes over white.
  package static func jpeg(_ buffer: PixelBuffer, quality: Int) throws(ImagingError) -> Bytes {
    // The pixels are read while the file is written, which is done when this returns.
    defer { withExtendedLifetime(buffer) {} }
    let save = try VipsCall("jpegsave_buffer")
    save.set("in", try buffer.handle())
    save.set("Q", quality)
    save.set("subsample-mode", Int(VIPS_FOREIGN_SUBSAMPLE_ON.rawValue))
    save.set("background", [255, 255, 255])
    save.set("strip", 1)
    return try save.bytes()
  }

  /// A PNG. Compression and filter are the measured knee between time and size on photographs.
  package static func png(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    defer { withExtendedLifetime(buffer) {} }
    let save = try VipsCall("pngsave_buffer")
    save.set("in", try buffer.handle())
    save.set("compression", 3)
    save.set("filter", Int(VIPS_FOREIGN_PNG_FILTER_SUB.rawValue))
    save.set("strip", 1)
    return try save.bytes()
  }
}
