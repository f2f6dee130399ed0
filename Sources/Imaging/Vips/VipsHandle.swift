import CVips
import Foundation

/// A reference to a libvips image: a recipe for pixels, not the pixels.
///
/// libvips is lazy. The source of an image must outlive the image, and all images made from it, until
/// the pixels are written.
struct VipsHandle: ~Copyable {
  let pointer: UnsafeMutablePointer<VipsImage>

  /// Takes ownership of one reference.
  init(owning pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  deinit { g_object_unref(pointer) }

  var width: Int { Int(vips_image_get_width(pointer)) }
  var height: Int { Int(vips_image_get_height(pointer)) }
  var bands: Int { Int(vips_image_get_bands(pointer)) }
  var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }
  /// The number of frames of an animation; 1 for a still picture.
  var frames: Int {
    // vips_image_get_n_pages returns 1 for 10,000 frames and more.
    var pages: Int32 = 1
    guard vips_image_get_typeof(pointer, "n-pages") != 0,
      vips_image_get_int(pointer, "n-pages", &pages) == 0
    else { return 1 }
    return max(1, Int(pages))
  }
  /// Whether the EXIF orientation swaps width and height.
  var isTurned: Bool { vips_image_get_orientation_swap(pointer) != 0 }
  var format: VipsBandFormat { vips_image_get_format(pointer) }
  /// The EXIF orientation; 1 if the picture is stored upright.
  var orientation: Int { Int(vips_image_get_orientation(pointer)) }
  /// Whether the file stores the rows in several passes.
  var isInterlaced: Bool { vips_image_get_typeof(pointer, "interlaced") != 0 }
  var isEightBit: Bool { format == VIPS_FORMAT_UCHAR }
  /// The number of color bands, without alpha.
  var colourBands: Int { hasAlpha ? bands - 1 : bands }
  var isRGB: Bool { vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_sRGB }

  /// Calls `body` with the embedded ICC profile, or with `nil` if there is none. The memory is valid
  /// only during the call.
  borrowing func withProfile<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
    var (start, count): (UnsafeRawPointer?, Int) = (nil, 0)
    guard vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0,
      vips_image_get_blob(pointer, VIPS_META_ICC_NAME, &start, &count) == 0
    else { return body(nil) }
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns a number that the loader stored with the image.
  borrowing func integer(named name: String) -> Int? {
    var number: Int32 = 0
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_int(pointer, name, &number) == 0
    else { return nil }
    return Int(number)
  }

  /// Returns the numbers that the loader stored with the image, or an empty array.
  borrowing func integers(named name: String) -> [Int] {
    var (start, count): (UnsafeMutablePointer<Int32>?, Int32) = (nil, 0)
    guard vips_image_get_typeof(pointer, name) != 0,
      vips_image_get_array_int(pointer, name, &start, &count) == 0
    else { return [] }
    return UnsafeBufferPointer(start: start, count: Int(count)).map(Int.init)
  }

  /// Sets the EXIF orientation. Use it only for images that this module creates.
  borrowing func setOrientation(_ orientation: Int) {
    vips_image_set_int(pointer, VIPS_META_ORIENTATION, Int32(orientation))
  }

  /// Marks the image as a strip of frames, for savers. Use it only for images that this module creates.
  ///
  /// - Parameters:
  ///   - delays: the delay of each frame, in milliseconds.
  ///   - plays: the number of plays; 0 means forever.
  borrowing func setFrames(height: Int, delays: [Int], plays: Int) {
    vips_image_set_int(pointer, VIPS_META_PAGE_HEIGHT, Int32(height))
    vips_image_set_int(pointer, "loop", Int32(clamping: plays))
    guard !delays.isEmpty else { return }
    let numbers = delays.map { Int32(clamping: $0) }
    vips_image_set_array_int(pointer, "delay", numbers, Int32(numbers.count))
  }

  /// Computes the pixels of some rows into `memory`, as rows of `width * bands` bytes without gaps.
  ///
  /// Runs only on the calling thread. The sinks of libvips pass every few rows to another thread, which gains nothing
  /// because each render already has a thread.
  ///
  /// - Returns: whether every pixel was computed.
  borrowing func write(
    rows wanted: Range<Int>, to memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let bytesPerRow = width * bands
    guard isEightBit, memory.count >= bytesPerRow * wanted.count, let start = memory.baseAddress,
      let region = vips_region_new(pointer)
    else { return false }
    defer { g_object_unref(region) }
    for top in stride(from: wanted.lowerBound, to: wanted.upperBound, by: Self.rowsAtOnce) {
      let rows = min(Self.rowsAtOnce, wanted.upperBound - top)
      var strip = VipsRect(left: 0, top: Int32(top), width: Int32(width), height: Int32(rows))
      guard vips_region_prepare(region, &strip) == 0, let data = region.pointee.data else {
        return false
      }
      // The valid area may begin before the requested one.
      let valid = region.pointee.valid
      let first = data + (top - Int(valid.top)) * Int(region.pointee.bpl) - Int(valid.left) * bands
      for row in 0..<rows {
        memcpy(
          start + (top - wanted.lowerBound + row) * bytesPerRow,
          first + row * Int(region.pointee.bpl), bytesPerRow)
      }
    }
    return true
  }

  /// Computes the pixels of some rows and discards them.
  ///
  /// - Returns: whether every pixel was computed.
  borrowing func read(rows wanted: Range<Int>) -> Bool {
    guard let region = vips_region_new(pointer) else { return false }
    defer { g_object_unref(region) }
    for top in stride(from: wanted.lowerBound, to: wanted.upperBound, by: Self.rowsAtOnce) {
      let rows = min(Self.rowsAtOnce, wanted.upperBound - top)
      var strip = VipsRect(left: 0, top: Int32(top), width: Int32(width), height: Int32(rows))
      guard vips_region_prepare(region, &strip) == 0 else { return false }
    }
    return true
  }

  /// A multiple of the 16 rows of a JPEG block.
  private static let rowsAtOnce = 64
}
