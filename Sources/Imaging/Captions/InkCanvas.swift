import CPangoCairo

/// A picture that a text is drawn on.
final class InkCanvas {
  let picture: PixelBuffer
  /// The pixels that the text may change.
  let bounds: PixelBounds
  /// Transforms the text's coordinates to the picture's, and traces glyphs. Nothing is drawn on it.
  let cairo: OpaquePointer

  init(_ picture: PixelBuffer, within bounds: PixelBounds) throws(ImagingError) {
    (self.picture, self.bounds) = (picture, bounds)
    // A surface without bounds: Cairo leaves out glyphs that are far outside of a surface. The context keeps it.
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nil)
    defer { cairo_surface_destroy(surface) }
    guard let cairo = cairo_create(surface), cairo_status(cairo) == CAIRO_STATUS_SUCCESS else {
      throw .library(operation: "cairo_create", message: "out of memory")
    }
    self.cairo = cairo
    // An error of a quarter pixel is invisible, and saves most of an outline's corners.
    cairo_set_tolerance(cairo, 0.25)
  }

  deinit { cairo_destroy(cairo) }

  /// The transformation to the picture's pixels, of a glyph that is to the right of Cairo's origin.
  func matrix(right distance: Double) -> cairo_matrix_t {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(cairo, &matrix)
    cairo_matrix_translate(&matrix, distance, 0)
    return matrix
  }
}
