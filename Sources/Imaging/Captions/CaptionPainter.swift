import CPangoCairo

/// Draws a text that fits: the outlines of all letters first, then their insides, so that no outline cuts a neighbour.
struct CaptionPainter {
  let layout: TextLayout
  let fit: CaptionFitter.Fit
  let look: CaptionLook

  /// Draws on a transparent surface that is just as large as the ink.
  ///
  /// - Parameters:
  ///   - box: where the ink goes; it sits at `edge`, and across as the look aligns it.
  func paint(in box: CaptionBox, at edge: CaptionEdge) throws(ImagingError) -> CaptionOverlay {
    let spare = Double(box.height) - fit.height
    // The baselines are whole pixels from the top of the ink: the top must be one too.
    let top = Double(box.top) + (edge == .top ? 0 : spare.rounded(.down))
    let left = Double(box.left) + (Double(box.width) - fit.width) * look.alignment.share
    let overlay = try CaptionOverlay(
      left: Int(left.rounded(.down)), top: Int(top),
      width: Int((left + fit.width).rounded(.up)) - Int(left.rounded(.down)),
      height: Int(fit.height.rounded(.up)))
    let origin = left - Double(overlay.left)
    overlay.draw { cairo in
      // A quarter of a pixel off the true curve cannot be seen, and spares most of the outline's corners.
      cairo_set_tolerance(cairo, 0.25)
      cairo_set_miter_limit(cairo, CaptionFace.Fitting.miterLimit)
      place(cairo, from: origin) { run in outline(run, on: cairo) }
      place(cairo, from: origin) { run in fill(run, on: cairo) }
    }
    return overlay
  }

  /// Calls `draw` with each run, with Cairo's origin at the start of its baseline and one unit a pixel of the layout.
  ///
  /// - Parameter origin: where ink and outline of the widest line begin.
  private func place(_ cairo: OpaquePointer, from origin: Double, _ draw: (GlyphRun) -> Void) {
    let scale = fit.size / TextLayout.pixelsPerEm
    let stretch = layout.stretch
    let widest = (fit.lines.map(\.width).max() ?? 0) * fit.size
    let outside = (fit.width - widest) / 2
    var index = 0
    layout.forEachLine { line in
      defer { index += 1 }
      guard index < fit.lines.count else { return }
      let ink = fit.lines[index]
      let spare = (widest - ink.width * fit.size) * look.alignment.share
      let start = origin + outside + spare - ink.left * fit.size
      GlyphRun.forEach(in: line) { run in
        cairo_save(cairo)
        cairo_translate(cairo, start, fit.baselines[index])
        cairo_scale(cairo, scale, scale)
        cairo_translate(cairo, run.left * stretch, 0)
        if layout.isOwn(run) {
          cairo_scale(cairo, stretch, 1)
        } else {
          // In the middle of a place that is as much wider or narrower as if it were stretched too.
          cairo_translate(cairo, run.width * (stretch - 1) / 2, 0)
        }
        cairo_new_path(cairo)
        cairo_move_to(cairo, 0, 0)
        draw(run)
        cairo_restore(cairo)
      }
    }
  }

  private func outline(_ run: GlyphRun, on cairo: OpaquePointer) {
    guard look.outlineWidth > 0, !run.isColoured else { return }
    setColour(look.outline, on: cairo)
    pango_cairo_glyph_string_path(cairo, run.font, run.glyphs)
    stroke(look.outlineWidth + fatten(run), CAIRO_LINE_JOIN_ROUND, on: cairo)
  }

  private func fill(_ run: GlyphRun, on cairo: OpaquePointer) {
    setColour(look.fill, on: cairo)
    guard !run.isColoured else { return pango_cairo_show_glyph_string(cairo, run.font, run.glyphs) }
    pango_cairo_glyph_string_path(cairo, run.font, run.glyphs)
    cairo_fill_preserve(cairo)
    if fatten(run) > 0 { stroke(fatten(run), CAIRO_LINE_JOIN_MITER, on: cairo) }
  }

  private func fatten(_ run: GlyphRun) -> Double { layout.isOwn(run) ? layout.fitting.fatten : 0 }

  /// - Parameter width: in em.
  private func stroke(_ width: Double, _ join: cairo_line_join_t, on cairo: OpaquePointer) {
    // The path stays stretched; the pen must be as wide across as it is high.
    cairo_save(cairo)
    cairo_identity_matrix(cairo)
    cairo_set_line_join(cairo, join)
    cairo_set_line_width(cairo, width * fit.size)
    cairo_stroke(cairo)
    cairo_restore(cairo)
  }

  private func setColour(_ colour: InkColour, on cairo: OpaquePointer) {
    cairo_set_source_rgb(
      cairo, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
  }
}
