import CPangoCairo

/// A drawing and its position in the picture: premultiplied 32-bit pixels, transparent outside the ink.
final class CaptionOverlay {
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  private let surface: OpaquePointer

  init(left: Int, top: Int, width: Int, height: Int) throws(ImagingError) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    guard let surface else { throw .library(operation: "cairo surface", message: "out of memory") }
    self.surface = surface
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw .library(
        operation: "cairo surface", message: String(cString: cairo_status_to_string(status)))
    }
  }

  deinit { cairo_surface_destroy(surface) }

  func draw(_ body: (OpaquePointer) -> Void) {
    guard let cairo = cairo_create(surface) else { return }
    defer { cairo_destroy(cairo) }
    body(cairo)
  }

  /// The most pixels to draw at once.
  static let pixelsAtOnce = 4 << 20

  /// Draws on a picture, in strips.
  ///
  /// - Parameters:
  ///   - bounds: the pixels that may change.
  ///   - body: draws in the coordinates of the picture. Called for each strip.
  static func draw(
    within bounds: PixelBounds, on picture: PixelBuffer, pixelsAtOnce: Int = pixelsAtOnce,
    _ body: (OpaquePointer) -> Void
  ) throws(ImagingError) {
    for strip in bounds.strips(of: pixelsAtOnce) {
      let overlay = try CaptionOverlay(
        left: strip.columns.lowerBound, top: strip.rows.lowerBound, width: strip.columns.count,
        height: strip.rows.count)
      overlay.draw { cairo in
        cairo_translate(cairo, -Double(overlay.left), -Double(overlay.top))
        body(cairo)
      }
      overlay.blend(into: picture)
    }
  }

  /// Blends the drawing over the picture, clipped to the picture's edges.
  func blend(into buffer: PixelBuffer) {
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let columns = max(0, -left)..<max(0, -left, min(width, buffer.width - left))
    let rows = max(0, -top)..<max(0, -top, min(height, buffer.height - top))
    guard !columns.isEmpty, let base = buffer.pixels.baseAddress else { return }
    let (channels, bytesPerRow) = (buffer.channels, buffer.bytesPerRow)
    for row in rows {
      let source = UnsafeRawPointer(data + row * stride).assumingMemoryBound(to: UInt32.self)
      let target = base + (top + row) * bytesPerRow + left * channels
      let bytes = target.assumingMemoryBound(to: UInt8.self)
      if channels == 4 {
        for column in columns { Self.blend(source[column], overRGBA: bytes + 4 * column) }
      } else {
        for column in columns { Self.blend(source[column], overRGB: bytes + 3 * column) }
      }
    }
    withExtendedLifetime(self) {}
  }

  @inline(__always)
  private static func blend(_ ink: UInt32, overRGB pixel: UnsafeMutablePointer<UInt8>) {
    let alpha = ink >> 24
    if alpha == 0 { return }
    if alpha == 255 {
      // Nearly all ink is opaque. Only the edges of letters are blended.
      pixel[0] = UInt8(truncatingIfNeeded: ink >> 16)
      pixel[1] = UInt8(truncatingIfNeeded: ink >> 8)
      pixel[2] = UInt8(truncatingIfNeeded: ink)
      return
    }
    let rest = 255 - alpha
    pixel[0] = UInt8(truncatingIfNeeded: (ink >> 16 & 255) + divided(UInt32(pixel[0]) * rest))
    pixel[1] = UInt8(truncatingIfNeeded: (ink >> 8 & 255) + divided(UInt32(pixel[1]) * rest))
    pixel[2] = UInt8(truncatingIfNeeded: (ink & 255) + divided(UInt32(pixel[2]) * rest))
  }

  /// The picture's alpha is not premultiplied, so alpha weights the picture's color, and the sum is divided
  /// by the new alpha.
  @inline(__always)
  private static func blend(_ ink: UInt32, overRGBA pixel: UnsafeMutablePointer<UInt8>) {
    let alpha = ink >> 24
    if alpha == 0 { return }
    let below = divided(UInt32(pixel[3]) * (255 - alpha))
    let together = alpha + below
    for (channel, shift) in [(0, UInt32(16)), (1, 8), (2, 0)] as [(Int, UInt32)] {
      let sum = (ink >> shift & 255) * 255 + UInt32(pixel[channel]) * below
      pixel[channel] = UInt8(truncatingIfNeeded: min(255, (sum + together / 2) / together))
    }
    pixel[3] = UInt8(truncatingIfNeeded: together)
  }

  /// `product / 255`, rounded, for a product of two bytes.
  @inline(__always)
  private static func divided(_ product: UInt32) -> UInt32 {
    let rounded = product + 128
    return (rounded + rounded >> 8) >> 8
  }
}
