package import Bytes
import CTurboJPEG
import CVips

/// Encodes pixels as picture files without metadata.
package enum PictureEncoder {
  /// Encodes a baseline JPEG. Blends transparency over white, in the buffer itself.
  ///
  /// Uses libjpeg-turbo directly: libvips would copy the pixels to a thread of its own, strip by strip.
  ///
  /// - Parameter fullColour: whether chroma is as sharp as luma (4:4:4) instead of subsampled (4:2:0).
  package static func jpeg(
    _ buffer: PixelBuffer, quality: Int, fullColour: Bool = false
  ) throws(ImagingError) -> Bytes {
    buffer.flatten()
    defer { withExtendedLifetime(buffer) {} }
    guard let compressor = tjInitCompress() else { throw turboFailure(nil) }
    defer { tjDestroy(compressor) }
    var file: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = tjCompress2(
      compressor, buffer.pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
      Int32(buffer.width), 0, Int32(buffer.height), Int32(TJPF_RGB.rawValue), &file, &count,
      Int32((fullColour ? TJSAMP_444 : TJSAMP_420).rawValue), Int32(quality), 0)
    guard code == 0, let file else {
      tjFree(file)
      throw turboFailure(compressor)
    }
    // Nothing else refers to the memory. The closure below frees it exactly once, on any thread.
    nonisolated(unsafe) let memory = file
    return Bytes(adopting: UnsafeRawBufferPointer(start: file, count: Int(count))) {
      tjFree(memory)
    }
  }

  private static func turboFailure(_ handle: tjhandle?) -> ImagingError {
    .library(operation: "tjCompress2", message: String(cString: tjGetErrorStr2(handle)))
  }

  /// Encodes a PNG.
  ///
  /// Compression 3 is the last level with zlib's fast strategy. One level higher takes three times as long and saves
  /// nothing on a photograph. One level lower saves a third of the time and makes the file 7 % larger. The filter is
  /// within 1 % of the best.
  package static func png(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "pngsave_buffer") { save in
      save.set("compression", 3)
      save.set("filter", Int(VIPS_FOREIGN_PNG_FILTER_UP.rawValue))
    }
  }

  /// Encodes a lossy WebP with exact transparency. No edge may exceed 16,383 pixels, which VP8 counts in 14
  /// bits (RFC 6386 §9.1).
  ///
  /// Effort 2 takes much less time than libwebp's default of 4, and the file is only slightly larger.
  package static func webp(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "webpsave_buffer") { webpOptions($0, quality: webpQuality) }
  }

  /// Encodes a GIF with at most 256 colors. Pixels that are less than half opaque become transparent.
  ///
  /// The default effort of 7 takes several times as long as the effort used here.
  package static func gif(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "gifsave_buffer", gifOptions)
  }

  /// Encodes an AVIF with AV1.
  ///
  /// Each higher effort takes several times as long as the previous effort, up to minutes, for files of the same size.
  package static func avif(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "heifsave_buffer") { save in
      save.set("compression", Int(VIPS_FOREIGN_HEIF_COMPRESSION_AV1.rawValue))
      save.set("Q", 60)
      save.set("effort", 1)
    }
  }

  /// Whether ``webp(_:)`` and ``gif(_:)`` are available: libvips needs a separate library for each.
  package static var hasWebP: Bool { hasSaver("webpsave_buffer") }
  package static var hasGIF: Bool { hasSaver("gifsave_buffer") }

  private static func hasSaver(_ name: String) -> Bool {
    do throws(ImagingError) { try Vips.start() } catch { return false }
    return vips_type_find("VipsOperation", name) != 0
  }

  /// Whether an encoder works, tested with a small picture: libvips may list an encoder whose library is missing.
  package static func works(
    _ encode: (PixelBuffer) throws(ImagingError) -> Bytes
  ) -> Bool {
    let buffer = PixelBuffer()
    buffer.reshape(width: 16, height: 16, channels: 3)
    buffer.pixels.initializeMemory(as: UInt8.self, repeating: 128)
    do throws(ImagingError) { return try !encode(buffer).isEmpty } catch { return false }
  }

  /// The quality of a lossy WebP for viewing.
  package static let webpQuality = 80

  /// Encodes a strip of frames as an animation.
  ///
  /// - Parameter quality: the WebP quality; ignored for GIF.
  static func save(
    _ strip: borrowing VipsHandle, as format: MovingPicture.Format, quality: Int = webpQuality
  ) throws(ImagingError) -> Bytes {
    switch format {
    case .gif: try save(strip, by: "gifsave_buffer", gifOptions)
    case .webp: try save(strip, by: "webpsave_buffer") { webpOptions($0, quality: quality) }
    }
  }

  private static func gifOptions(_ save: borrowing VipsCall) { save.set("effort", 3) }

  private static func webpOptions(_ save: borrowing VipsCall, quality: Int) {
    save.set("Q", quality)
    save.set("effort", 2)
  }

  private static func save(
    _ buffer: PixelBuffer, by saver: String, _ set: (borrowing VipsCall) -> Void
  ) throws(ImagingError) -> Bytes {
    defer { withExtendedLifetime(buffer) {} }
    return try save(try buffer.handle(), by: saver, set)
  }

  private static func save(
    _ image: borrowing VipsHandle, by saver: String, _ set: (borrowing VipsCall) -> Void
  ) throws(ImagingError) -> Bytes {
    let save = try VipsCall(saver)
    save.set("in", image)
    save.set("strip", 1)
    set(save)
    return try save.bytes()
  }
}
