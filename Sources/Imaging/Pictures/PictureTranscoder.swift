package import Bytes
import CVips

/// Decodes and encodes with no step in between: the baseline for the cost of a render.
package enum PictureTranscoder {
  /// Decodes a JPEG and encodes it as a render would, as one stream of rows.
  package static func jpeg(_ file: Bytes, quality: Int) throws(ImagingError) -> Bytes {
    try file.withUnsafeBytes { memory throws(ImagingError) in
      let load = try VipsCall(PictureKind.jpeg.loader)
      load.set("buffer", memory)
      load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
      let save = try VipsCall("jpegsave_buffer")
      save.set("in", try load.image())
      save.set("Q", quality)
      save.set("subsample-mode", Int(VIPS_FOREIGN_SUBSAMPLE_ON.rawValue))
      save.set("strip", 1)
      return try save.bytes()
    }
  }

  /// Decodes all frames of an animated GIF and encodes them as a render would.
  package static func gif(_ file: Bytes) throws(ImagingError) -> Bytes {
    try file.withUnsafeBytes { memory throws(ImagingError) in
      let load = try VipsCall(PictureKind.gif.loader)
      load.set("buffer", memory)
      load.set("n", -1)
      load.set("access", Int(VIPS_ACCESS_SEQUENTIAL.rawValue))
      return try PictureEncoder.save(load.image(), as: .gif)
    }
  }
}
