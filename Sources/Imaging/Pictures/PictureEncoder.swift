package import Bytes
import CTurboJPEG
import CVips

/// Turns pixels into a picture file without metadata.
package enum PictureEncoder {
  /// A baseline JPEG, chroma subsampled 4:2:0. Transparency goes over white, in the buffer itself.
  ///
  /// Not by libvips, which would copy the pixels to a thread of its own, strip by strip.
  package static func jpeg(_ buffer: PixelBuffer, quality: Int) throws(ImagingError) -> Bytes {
    buffer.flatten()
    defer { withExtendedLifetime(buffer) {} }
    guard let compressor = tjInitCompress() else { throw turboFailure(nil) }
    defer { tjDestroy(compressor) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = tjCompress2(
      compressor, buffer.pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
      Int32(buffer.width), 0, Int32(buffer.height), Int32(TJPF_RGB.rawValue), &file, &count,
      Int32(TJSAMP_420.rawValue), Int32(quality), 0)
    guard code == 0, let file else {
      tjFree(file)
      throw turboFailure(compressor)
    }
    // Freed once, by whoever lets go of the bytes last.
    nonisolated(unsafe) let memory = file
    return Bytes(adopting: UnsafeRawBufferPointer(start: file, count: Int(count))) {
      tjFree(memory)
    }
  }

  private static func turboFailure(_ handle: tjhandle?) -> ImagingError {
    .library(operation: "tjCompress2", message: String(cString: tjGetErrorStr2(handle)))
  }

  /// A PNG.
  ///
  /// Compression 3 is zlib's last fast strategy: a step higher takes three times as long and saves nothing on a
  /// photograph, a step lower saves a third of the time and costs 7 %. The filter is as small as any within 1 %.
  package static func png(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    defer { withExtendedLifetime(buffer) {} }
    let save = try VipsCall("pngsave_buffer")
    save.set("in", try buffer.handle())
    save.set("compression", 3)
    save.set("filter", Int(VIPS_FOREIGN_PNG_FILTER_UP.rawValue))
    save.set("strip", 1)
    return try save.bytes()
  }
}
