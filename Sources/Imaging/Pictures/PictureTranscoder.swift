package import Bytes
import CVips

/// Decoding and encoding with nothing between: the floor that the cost of a render is measured against.
package enum PictureTranscoder {
  /// Decodes a JPEG and encodes it again as a render would be, as one stream of rows.
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

  /// Decodes a GIF that moves, all its frames, and encodes it again as a render would be.
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
