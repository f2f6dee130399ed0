import CPangoCairo

/// Draws captions on pictures. Use an artist only on the thread that created it: Pango's fonts belong to that thread.
package final class CaptionArtist {
  /// All faces; never empty.
  package let faces: [CaptionFace]
  private let standard: CaptionFace
  let context: OpaquePointer
  let raster = InkRaster()

  /// Finds the faces and loads the first, so that the first caption is as fast as the next.
  ///
  /// - Throws: ``ImagingError/library(operation:message:)`` if no font is installed.
  package init() throws(ImagingError) {
    // Pango owns this font map, one per thread. Do not free it.
    guard let context = pango_font_map_create_context(pango_cairo_font_map_get_default()) else {
      throw .library(operation: "pango_font_map_create_context", message: "no context")
    }
    self.context = context
    pango_context_set_round_glyph_positions(context, 0)
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    do throws(ImagingError) {
      (standard, faces) = try CaptionFace.all(in: context)
    } catch {
      g_object_unref(UnsafeMutableRawPointer(context))
      throw error
    }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

  /// Returns the face with this id, or the standard face.
  func face(_ id: String) -> CaptionFace { faces.first { $0.id == id } ?? standard }

  /// Draws `text` as large as possible into the picture's caption box at `edge`.
  ///
  /// - Returns: the outcome, or `nil` if the text is blank.
  package func draw(
    _ text: String, at edge: CaptionEdge, look: CaptionLook, on picture: PixelBuffer
  ) throws(ImagingError) -> CaptionOutcome? {
    try draw(BoxedText(text, at: edge, look: look, on: picture), on: picture)
  }

  /// Draws a text as large as possible into its box.
  ///
  /// - Parameter limit: a limit on the font size in pixels; `nil` for none.
  /// - Returns: the outcome, or `nil` if the text is blank.
  package func draw(
    _ text: BoxedText, limit: Double? = nil, on picture: PixelBuffer
  ) throws(ImagingError) -> CaptionOutcome? {
    let look = text.look.widened(forWidth: picture.width, height: picture.height)
    guard let set = set(text, look, limit: limit, on: picture) else { return nil }
    try paint(set, in: text.box, at: text.edge, rotation: text.rotation, look: look, on: picture)
    return set.outcome
  }

  /// The font size in pixels at which a text would be drawn; `nil` if nothing would.
  package func size(of text: BoxedText, on picture: PixelBuffer) -> Double? {
    let look = text.look.widened(forWidth: picture.width, height: picture.height)
    return set(text, look, limit: nil, on: picture)?.fit?.size
  }

  private func set(
    _ text: BoxedText, _ look: CaptionLook, limit: Double?, on picture: PixelBuffer
  ) -> LaidOutCaption? {
    set(
      text.text, look: look, box: text.box,
      bounds: SizeBounds(look: look, width: picture.width, height: picture.height, limit: limit))
  }

  /// Draws a laid-out text. Draws nothing if not even one letter fits.
  func paint(
    _ set: LaidOutCaption, in box: InkBox, at edge: CaptionEdge, rotation: Double = 0,
    look: CaptionLook, on picture: PixelBuffer
  ) throws(ImagingError) {
    guard let fit = set.fit else { return }
    try CaptionPainter(raster: raster, layout: set.layout, fit: fit, look: look)
      .paint(in: box, at: edge, rotation: rotation, on: picture)
  }

  /// A text laid out in a box, ready to be painted.
  struct LaidOutCaption {
    let layout: TextLayout
    /// `nil` if not even one letter fits.
    let fit: CaptionFitter.Fit?
    let outcome: CaptionOutcome
  }

  /// Chooses the face or the stand-in that lacks the fewest letters of the text: a word in two fonts reads worse than
  /// the whole text in another font.
  private func layout(of text: String, in face: CaptionFace) -> (CaptionFace, TextLayout)? {
    guard var best = TextLayout(face: face, context: context).map({ (face: face, layout: $0) })
    else { return nil }
    guard !face.standIns.isEmpty else { return best }
    var lacked = best.layout.lackedLetters(of: text)
    for standIn in face.standIns where lacked > 0 {
      guard let layout = TextLayout(face: standIn, context: context) else { continue }
      let count = layout.lackedLetters(of: text)
      if count < lacked { (best, lacked) = ((standIn, layout), count) }
    }
    return best
  }

  /// Lays `text` out. Returns `nil` if it is blank.
  func set(_ text: String, look: CaptionLook, box: InkBox, bounds: SizeBounds) -> LaidOutCaption? {
    var text = CaptionWords.prepare(text, look.letters)
    guard !text.isEmpty, let (face, layout) = layout(of: text, in: face(look.font)) else {
      return nil
    }
    text = text.replacing("…", with: layout.ellipsis)
    layout.setText(text)
    let missing = layout.missingCharacters
    let fitter = CaptionFitter(
      layout: layout, pen: face.fitting.pen(outline: look.outlineWidth), width: Double(box.width),
      height: Double(box.height))
    let whole = fitter.whole(in: bounds)
    let fit = whole ?? fitter.beginning(of: text, at: bounds.smallest)
    // The search leaves the layout with the breaks of its last attempt.
    if let fit { layout.breakLines(at: fit.breaks) }
    return LaidOutCaption(
      layout: layout, fit: fit,
      outcome: CaptionOutcome(
        fontSize: fit?.size ?? 0, lines: fit?.lines.count ?? 0,
        isShrunk: (fit?.size ?? 0) < bounds.wanted, isTruncated: whole == nil,
        missingGlyphs: missing))
  }
}
