import CPangoCairo

/// The shape of color glyphs, at their position in the picture.
final class GlyphShape {
  private let surface: OpaquePointer
  private let left: Double
  private let top: Double

  /// Draws the run, limited to the part that is within `bounds` after a shift of up to `distance` pixels.
  ///
  /// - Parameter matrix: from the run to the picture.
  /// - Returns: `nil` if there is no such part.
  init?(
    _ run: GlyphRun, near distance: Double, within bounds: PixelBounds, _ matrix: cairo_matrix_t
  ) {
    var matrix = matrix
    let extent = run.extent(in: matrix)
    let columns = Self.pixels(extent.left, extent.right, within: bounds.columns, distance)
    let rows = Self.pixels(extent.top, extent.bottom, within: bounds.rows, distance)
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

  /// The edges of the shape, in pixels of the picture: where half of a pixel is covered.
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

  /// The pixels that the shape touches and that are at most `distance` outside of `range`.
  private static func pixels(
    _ start: Double, _ end: Double, within range: Range<Int>, _ distance: Double
  ) -> Range<Int> {
    let first = max(start, Double(range.lowerBound) - distance - 2)
    let last = min(end, Double(range.upperBound) + distance + 2)
    guard first < last else { return 0..<0 }
    return Int(first.rounded(.down))..<Int(last.rounded(.up))
  }
}
