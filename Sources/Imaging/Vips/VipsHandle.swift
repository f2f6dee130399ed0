import CVips

/// A reference to a libvips image: a recipe for pixels, not the pixels.
///
/// libvips is lazy. What an image reads from must outlive it, and the images made from it, until pixels are written.
struct VipsHandle: ~Copyable {
  let pointer: UnsafeMutablePointer<VipsImage>

  /// Takes over one reference.
  init(owning pointer: UnsafeMutablePointer<VipsImage>) { self.pointer = pointer }

  deinit { g_object_unref(pointer) }

  var width: Int { Int(vips_image_get_width(pointer)) }
  var height: Int { Int(vips_image_get_height(pointer)) }
  var bands: Int { Int(vips_image_get_bands(pointer)) }
  var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }
  /// Frames of an animation, 1 for a still picture.
  var frames: Int { Int(vips_image_get_n_pages(pointer)) }
  /// Whether EXIF says that width and height change places when the picture is upright.
  var isTurned: Bool { vips_image_get_orientation_swap(pointer) != 0 }
  /// Whether EXIF says that the picture is not stored as it should be seen.
  var isOrientated: Bool { vips_image_get_orientation(pointer) > 1 }
  var isEightBit: Bool { vips_image_get_format(pointer) == VIPS_FORMAT_UCHAR }
  var isRGB: Bool { vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_sRGB }

  /// Calls `body` with the embedded ICC profile, or `nil`. The memory is valid during the call.
  borrowing func withProfile<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
    var (start, count): (UnsafeRawPointer?, Int) = (nil, 0)
    guard vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0,
      vips_image_get_blob(pointer, VIPS_META_ICC_NAME, &start, &count) == 0
    else { return body(nil) }
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The same image with its pixels computed; `nil` where that fails.
  borrowing func inMemory() -> VipsHandle? {
    vips_image_copy_memory(pointer).map { VipsHandle(owning: $0) }
  }

  /// Computes the pixels into `memory`: rows of `width * bands` bytes without gaps.
  ///
  /// - Returns: whether every pixel was computed.
  borrowing func write(to memory: UnsafeMutableRawBufferPointer) -> Bool {
    guard isEightBit, memory.count >= width * height * bands,
      let target = vips_image_new_from_memory(
        memory.baseAddress, memory.count, Int32(width), Int32(height), Int32(bands),
        VIPS_FORMAT_UCHAR)
    else { return false }
    defer { g_object_unref(target) }
    return vips_image_write(pointer, target) == 0
  }
}
