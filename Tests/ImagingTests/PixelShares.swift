import CPangoCairo
import Testing

/// Draws on transparent pixels, and returns the alpha of each, row by row.
func shares(
  width: Int, height: Int, _ draw: (OpaquePointer) -> Void
) throws -> [UInt8] {
  let surface = try #require(
    cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)))
  defer { cairo_surface_destroy(surface) }
  let cairo = try #require(cairo_create(surface))
  defer { cairo_destroy(cairo) }
  draw(cairo)
  cairo_surface_flush(surface)
  let pixels = try #require(cairo_image_surface_get_data(surface))
  let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
  return (0..<height).flatMap { row in
    (0..<width).map { pixels[row * bytesPerRow + 4 * $0 + 3] }
  }
}
