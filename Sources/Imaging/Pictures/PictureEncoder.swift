package import Bytes
import CTurboJPEG
import CVips

/// Turns pixels into a picture file without metadata.
package enum PictureEncoder {
  /// A baseline JPEG. Transparency goes over white, in the buffer itself.
  ///
  /// - Parameter fullColour: chroma is as sharp as luma, 4:4:4; else subsampled, 4:2:0.
  ///
  /// Not by libvips, which would copy the pixels to a thread of its own, strip by strip.
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
    try save(buffer, by: "pngsave_buffer") { save in
      save.set("compression", 3)
      save.set("filter", Int(VIPS_FOREIGN_PNG_FILTER_UP.rawValue))
    }
  }

  /// A lossy WebP with exact transparency, for no edge over 16,383 pixels, which VP8 counts in 14 bits (RFC 6386 §9.1).
  ///
  /// Effort 2 takes much less time than libwebp's own 4, and the file is little larger.
  package static func webp(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "webpsave_buffer") { webpOptions($0, quality: webpQuality) }
  }

  /// A GIF: 256 colours at most, and what is less than half opaque is not there.
  ///
  /// The default effort, 7, takes several times as long as this.
  package static func gif(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "gifsave_buffer", gifOptions)
  }

  /// An AVIF, by AV1.
  ///
  /// Each step of effort beyond this takes several times as long as the one before, minutes in the end, for files that
  /// are as large.
  package static func avif(_ buffer: PixelBuffer) throws(ImagingError) -> Bytes {
    try save(buffer, by: "heifsave_buffer") { save in
      save.set("compression", Int(VIPS_FOREIGN_HEIF_COMPRESSION_AV1.rawValue))
      save.set("Q", 60)
      save.set("effort", 1)
    }
  }

  /// Whether ``webp(_:)`` and ``gif(_:)`` are there: libvips has them only where it has the library behind them.
  package static var hasWebP: Bool { hasSaver("webpsave_buffer") }
  package static var hasGIF: Bool { hasSaver("gifsave_buffer") }

  private static func hasSaver(_ name: String) -> Bool {
    do throws(ImagingError) { try Vips.start() } catch { return false }
    return vips_type_find("VipsOperation", name) != 0
  }

  /// Whether an encoder is there and does its work, found by a try: libvips may have one that lacks the library
  /// behind it.
  package static func works(
    _ encode: (PixelBuffer) throws(ImagingError) -> Bytes
  ) -> Bool {
    let buffer = PixelBuffer()
    buffer.reshape(width: 16, height: 16, channels: 3)
    buffer.pixels.initializeMemory(as: UInt8.self, repeating: 128)
    do throws(ImagingError) { return try !encode(buffer).isEmpty } catch { return false }
  }

  /// Of a lossy WebP that people look at.
  package static let webpQuality = 80

  /// A strip of frames as a picture that moves.
  ///
  /// - Parameter quality: of a WebP.
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
