import CPangoCairo

/// Draws a text that fits: the outlines of all letters first, then their insides, so that no outline cuts a neighbour.
struct CaptionPainter {
  let layout: TextLayout
  let fit: CaptionFitter.Fit
  let look: CaptionLook
  /// See ``CaptionFace/fatten``.
  let fatten: Double

  /// Draws on a transparent surface that is just as large as the ink.
  ///
  /// - Parameters:
  ///   - box: where the ink goes; it is centred across and sits at `edge`.
  func paint(in box: CaptionBox, at edge: CaptionEdge) throws(ImagingError) -> CaptionOverlay {
    let spare = Double(box.height) - fit.height
    // The baselines are whole pixels from the top of the ink: the top must be one too.
    let top = Double(box.top) + (edge == .top ? 0 : spare.rounded(.down))
    let left = Double(box.left) + (Double(box.width) - fit.width) / 2
    let overlay = try CaptionOverlay(
      left: Int(left.rounded(.down)), top: Int(top),
      width: Int((left + fit.width).rounded(.up)) - Int(left.rounded(.down)),
      height: Int(fit.height.rounded(.up)))
    let middle = left + fit.width / 2 - Double(overlay.left)
    overlay.draw { cairo in
      cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
      cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
      place(cairo, middle: middle) { run in outline(run, on: cairo) }
      place(cairo, middle: middle) { run in fill(run, on: cairo) }
    }
    return overlay
  }

  /// Calls `draw` with each run, the origin at the start of its baseline and one unit a pixel of the layout.
  private func place(_ cairo: OpaquePointer, middle: Double, _ draw: (GlyphRun) -> Void) {
    let scale = fit.size / TextLayout.pixelsPerEm
    var index = 0
    layout.forEachLine { line in
      defer { index += 1 }
      guard index < fit.lines.count else { return }
      let ink = fit.lines[index]
      let start = middle - (ink.left + ink.width / 2) * fit.size
      GlyphRun.forEach(in: line) { run in
        cairo_save(cairo)
        cairo_translate(cairo, start, fit.baselines[index])
        cairo_scale(cairo, scale, scale)
        cairo_translate(cairo, run.left, 0)
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
    cairo_set_line_width(cairo, (look.outlineWidth + fatten) * TextLayout.pixelsPerEm)
    pango_cairo_glyph_string_path(cairo, run.font, run.glyphs)
    cairo_stroke(cairo)
  }

  private func fill(_ run: GlyphRun, on cairo: OpaquePointer) {
    setColour(look.fill, on: cairo)
    guard !run.isColoured else { return pango_cairo_show_glyph_string(cairo, run.font, run.glyphs) }
    pango_cairo_glyph_string_path(cairo, run.font, run.glyphs)
    guard fatten > 0 else { return cairo_fill(cairo) }
    cairo_fill_preserve(cairo)
    cairo_set_line_width(cairo, fatten * TextLayout.pixelsPerEm)
    cairo_stroke(cairo)
  }

  private func setColour(_ colour: InkColour, on cairo: OpaquePointer) {
    cairo_set_source_rgb(
      cairo, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
  }
}
