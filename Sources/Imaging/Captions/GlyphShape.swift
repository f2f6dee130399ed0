import CPangoCairo

/// The shape of color glyphs, at their position on the target.
final class GlyphShape {
  private let surface: OpaquePointer
  private let left: Double
  private let top: Double

  /// Draws the run as on `cairo`, limited to the part that is visible there after a shift of up to `distance` pixels.
  ///
  /// - Returns: `nil` if no part is visible.
  init?(_ run: GlyphRun, near distance: Double, on cairo: OpaquePointer) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(cairo, &matrix)
    let ink = run.ink
    let corners = [
      (ink.left, ink.top), (ink.left + ink.width, ink.top), (ink.left, ink.top + ink.height),
      (ink.left + ink.width, ink.top + ink.height),
    ].map { corner in
      var (x, y) = corner
      cairo_matrix_transform_point(&matrix, &x, &y)
      return (x: x, y: y)
    }
    let target = cairo_get_target(cairo)
    let columns = Self.pixels(
      corners.map(\.x), within: Int(cairo_image_surface_get_width(target)), distance)
    let rows = Self.pixels(
      corners.map(\.y), within: Int(cairo_image_surface_get_height(target)), distance)
    guard !columns.isEmpty, !rows.isEmpty,
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_A8, Int32(columns.count), Int32(rows.count))
    else { return nil }
    self.surface = surface
    (left, top) = (Double(columns.lowerBound), Double(rows.lowerBound))
    guard let drawing = cairo_create(surface) else { return }
    defer { cairo_destroy(drawing) }
    cairo_translate(drawing, -left, -top)
    cairo_transform(drawing, &matrix)
    run.show(on: drawing)
  }

  deinit { cairo_surface_destroy(surface) }

  /// The edges of the shape, in pixels of the target: where half of a pixel is covered.
  var contours: GlyphContours {
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else {
      return GlyphContours(turned: [])
    }
    defer { withExtendedLifetime(self) {} }
    let mask = GlyphMask(
      pixels: pixels, width: Int(cairo_image_surface_get_width(surface)),
      height: Int(cairo_image_surface_get_height(surface)),
      bytesPerRow: Int(cairo_image_surface_get_stride(surface)))
    // Pixels are measured in their middle.
    let origin = SIMD2(left + 0.5, top + 0.5)
    return GlyphContours(turned: mask.contours().map { $0.map { $0 + origin } })
  }

  /// The pixels that the shape touches, with a margin because letters may extend beyond their ink's bounds.
  private static func pixels(
    _ places: [Double], within count: Int, _ distance: Double
  ) -> Range<Int> {
    let least = max((places.min() ?? 0) - 2, -distance - 2)
    let most = min((places.max() ?? 0) + 2, Double(count) + distance + 2)
    guard least < most else { return 0..<0 }
    return Int(least.rounded(.down))..<Int(most.rounded(.up))
  }
}
