import CPangoCairo

/// Consecutive glyphs of one font in a line.
struct GlyphRun {
  let font: UnsafeMutablePointer<PangoFont>
  let glyphs: UnsafeMutablePointer<PangoGlyphString>
  /// In pixels at the layout's size.
  let width: Double
  /// The beginning of the run in the layout's text, in UTF-8 bytes.
  let start: Int

  /// Calls `body` with each run of the line, left to right. The run is valid only during the call.
  static func forEach<Failure>(
    in line: UnsafeMutablePointer<PangoLayoutLine>, _ body: (GlyphRun) throws(Failure) -> Void
  ) throws(Failure) {
    var item = line.pointee.runs
    while let current = item {
      item = current.pointee.next
      guard let data = current.pointee.data else { continue }
      let run = data.assumingMemoryBound(to: PangoGlyphItem.self).pointee
      guard let glyphs = run.glyphs else { continue }
      let width = pango_glyph_string_get_width(glyphs)
      if let font = run.item?.pointee.analysis.font {
        try body(
          GlyphRun(
            font: font, glyphs: glyphs, width: Double(width) / Double(PANGO_SCALE),
            start: Int(run.item?.pointee.offset ?? 0)))
      }
    }
  }

  /// Calls `body` with the ink of each glyph, left to right, measured from the beginning of the run. `byte` is the
  /// position in the text of the character that the glyph draws, in UTF-8 bytes.
  func forEachGlyph(pixelsPerEm: Double, _ body: (_ byte: Int, GlyphInk) -> Void) {
    guard let clusters = glyphs.pointee.log_clusters else { return }
    let scale = 1 / (pixelsPerEm * Double(PANGO_SCALE))
    var left = 0.0
    for (index, glyph) in UnsafeBufferPointer(
      start: glyphs.pointee.glyphs, count: Int(glyphs.pointee.num_glyphs)
    ).enumerated() {
      var ink = PangoRectangle()
      pango_font_get_glyph_extents(font, glyph.glyph, &ink, nil)
      let inkLeft = left + Double(glyph.geometry.x_offset + ink.x) * scale
      let top = Double(glyph.geometry.y_offset + ink.y) * scale
      let advance = Double(glyph.geometry.width) * scale
      body(
        start + Int(clusters[index]),
        GlyphInk(
          left: left, advance: advance, inkLeft: inkLeft,
          inkRight: inkLeft + Double(ink.width) * scale, ascent: -top,
          descent: top + Double(ink.height) * scale))
      left += advance
    }
  }

  /// The extent of the ink, measured from the start of the baseline, in pixels at the layout's size.
  var ink: (left: Double, top: Double, width: Double, height: Double) {
    var ink = PangoRectangle()
    pango_glyph_string_extents(glyphs, font, &ink, nil)
    let scale = 1 / Double(PANGO_SCALE)
    return (
      Double(ink.x) * scale, Double(ink.y) * scale, Double(ink.width) * scale,
      Double(ink.height) * scale
    )
  }

  /// What the glyphs may touch, after a transformation.
  func extent(
    in matrix: cairo_matrix_t
  ) -> (left: Double, top: Double, right: Double, bottom: Double) {
    var matrix = matrix
    let ink = ink
    let corners = [
      (ink.left, ink.top), (ink.left + ink.width, ink.top), (ink.left, ink.top + ink.height),
      (ink.left + ink.width, ink.top + ink.height),
    ].map { corner in
      var (x, y) = corner
      cairo_matrix_transform_point(&matrix, &x, &y)
      return SIMD2(x, y)
    }
    var (least, most) = (corners[0], corners[0])
    for corner in corners {
      least.replace(with: corner, where: corner .< least)
      most.replace(with: corner, where: corner .> most)
    }
    // Letters may extend beyond their ink's bounds.
    return (least.x - 2, least.y - 2, most.x + 2, most.y + 2)
  }

  /// Draws the glyphs at Cairo's origin in the current color, or in their own colors.
  func show(on cairo: OpaquePointer) {
    cairo_move_to(cairo, 0, 0)
    pango_cairo_show_glyph_string(cairo, font, glyphs)
    cairo_new_path(cairo)
  }

  /// Calls `body` with each glyph as a run of its own, and its distance from the beginning of this run. The glyph is
  /// valid only during the call.
  func forEachSingle<Failure>(
    _ body: (_ glyph: GlyphRun, _ left: Double) throws(Failure) -> Void
  ) throws(Failure) {
    var left = 0.0
    for index in 0..<Int(glyphs.pointee.num_glyphs) {
      var glyph = PangoGlyphString()
      glyph.num_glyphs = 1
      glyph.glyphs = glyphs.pointee.glyphs + index
      glyph.log_clusters = glyphs.pointee.log_clusters + index
      let width = Double(glyph.glyphs.pointee.geometry.width) / Double(PANGO_SCALE)
      try withUnsafeMutablePointer(to: &glyph) { single throws(Failure) in
        try body(GlyphRun(font: font, glyphs: single, width: width, start: start), left)
      }
      left += width
    }
  }

  /// For each glyph, sets the path to its edges, at its position in the run, and calls `body` with its ID in the font.
  func traceEachGlyph(on cairo: OpaquePointer, _ body: (_ glyph: UInt32) -> Void) {
    forEachSingle { single, left in
      cairo_new_path(cairo)
      cairo_move_to(cairo, left, 0)
      pango_cairo_glyph_string_path(cairo, font, single.glyphs)
      body(single.glyphs.pointee.glyphs.pointee.glyph)
    }
    cairo_new_path(cairo)
  }

  /// Whether the font has colors of its own, as emoji fonts do. Such glyphs have no outline to trace.
  var isColoured: Bool {
    guard let face = hb_font_get_face(pango_font_get_hb_font(font)) else { return false }
    return hb_ot_color_has_png(face) != 0 || hb_ot_color_has_layers(face) != 0
      || hb_ot_color_has_svg(face) != 0
  }

  /// The flag that Pango sets on a glyph that no font has. The other bits hold the character.
  private static let unknown: UInt32 = 0x1000_0000

  var unknownCharacters: [UInt32] {
    UnsafeBufferPointer(start: glyphs.pointee.glyphs, count: Int(glyphs.pointee.num_glyphs))
      .map(\.glyph).filter { $0 & Self.unknown != 0 }.map { $0 & ~Self.unknown }
  }
}
