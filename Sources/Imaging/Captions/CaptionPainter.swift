import CPangoCairo
import Foundation

/// Draws a text that fits: all outlines first, then all letters, so that no outline covers a neighboring letter.
struct CaptionPainter {
  let raster: InkRaster
  let layout: TextLayout
  let fit: CaptionFitter.Fit
  let look: CaptionLook
  /// See ``CaptionOverlay/draw(within:on:pixelsAtOnce:_:)``.
  var pixelsAtOnce = CaptionOverlay.pixelsAtOnce

  /// Draws on `picture`, clipped to its edges.
  ///
  /// - Parameters:
  ///   - box: the box for the ink. `edge` aligns the ink vertically, the look aligns it horizontally.
  ///   - rotation: in degrees, clockwise, about the center of the box.
  func paint(
    in box: InkBox, at edge: CaptionEdge, rotation: Double, on picture: PixelBuffer
  ) throws(ImagingError) {
    let spare = Double(box.height) - fit.height
    // The baselines are whole pixels below the top of the ink, so the top must be a whole pixel too.
    let top = Double(box.top) + (spare * edge.share).rounded(.down)
    let left = Double(box.left) + (Double(box.width) - fit.width) * look.alignment.share
    let turn = Turn(degrees: rotation, about: box)
    let ink = turn.bounds(left: left, top: top, width: fit.width, height: fit.height)
    guard let bounds = PixelBounds(touchedBy: ink, of: picture) else { return }
    let canvas = try InkCanvas(picture, within: bounds)
    turn.apply(to: canvas.cairo)
    cairo_translate(canvas.cairo, left, top)
    try draw(on: canvas)
  }

  /// Draws the text. The canvas's origin is the upper left corner of the ink, outline included.
  private func draw(on canvas: InkCanvas) throws(ImagingError) {
    var runs: [[Letter]?] = []
    place(canvas.cairo) { run in
      let letters = letters(of: run, on: canvas.cairo)
      runs.append(letters)
      outline(run, letters, on: canvas)
    }
    var rest = runs.makeIterator()
    try place(canvas.cairo) { run throws(ImagingError) in
      try fill(run, rest.next() ?? nil, on: canvas)
    }
  }

  private struct Letter {
    let contours: GlyphContours
    /// The width of the fattening pen, in em.
    let fatten: Double
  }

  /// - Returns: `nil` if the run has color glyphs, which have no contours.
  private func letters(of run: GlyphRun, on cairo: OpaquePointer) -> [Letter]? {
    guard !run.isColoured else { return nil }
    var letters: [Letter] = []
    run.traceEachGlyph(on: cairo) { glyph in
      letters.append(
        Letter(contours: GlyphContours(pathOf: cairo), fatten: layout.fatten(glyph, of: run)))
    }
    return letters
  }

  /// Calls `draw` with each run. Cairo's origin is the start of the run's baseline, and a unit is a
  /// pixel of the layout.
  private func place<Failure>(
    _ cairo: OpaquePointer, _ draw: (GlyphRun) throws(Failure) -> Void
  ) throws(Failure) {
    let scale = fit.size / TextLayout.pixelsPerEm
    let widest = (fit.lines.map(\.width).max() ?? 0) * fit.size
    let outside = (fit.width - widest) / 2
    var index = 0
    try layout.forEachLine { line throws(Failure) in
      defer { index += 1 }
      guard index < fit.lines.count else { return }
      let ink = fit.lines[index]
      let spare = (widest - ink.width * fit.size) * look.alignment.share
      let start = outside + spare - ink.left * fit.size
      try layout.forEachRun(in: line) { run, left, stretch throws(Failure) in
        cairo_save(cairo)
        defer { cairo_restore(cairo) }
        cairo_translate(cairo, start + left * fit.size, fit.baselines[index])
        cairo_scale(cairo, scale * stretch, scale)
        try draw(run)
      }
    }
  }

  private func outline(_ run: GlyphRun, _ letters: [Letter]?, on canvas: InkCanvas) {
    guard look.outlineWidth > 0 else { return }
    guard let letters else { return surround(run, on: canvas) }
    for letter in letters {
      add(letter, widened: look.outlineWidth + letter.fatten, .round)
      raster.fill(look.outline, on: canvas.picture, within: canvas.bounds)
    }
  }

  /// Outlines color glyphs, which have no contours: traces their shape as drawn.
  private func surround(_ run: GlyphRun, on canvas: InkCanvas) {
    let radius = look.outlineWidth / 2 * fit.size
    let offset = PathOffset(distance: radius, join: .round)
    let strips = canvas.bounds.strips(of: pixelsAtOnce)
    run.forEachSingle { glyph, left in
      let matrix = canvas.matrix(right: left)
      for strip in strips {
        guard let shape = GlyphShape(glyph, near: radius, within: strip, matrix) else { continue }
        for polygon in offset.polygons(around: shape.contours) { raster.add(polygon) }
        raster.fill(look.outline, on: canvas.picture, within: strip)
      }
    }
  }

  private func fill(
    _ run: GlyphRun, _ letters: [Letter]?, on canvas: InkCanvas
  ) throws(ImagingError) {
    guard let letters else { return try show(run, on: canvas) }
    // Fill all letters at once, so that letters that touch, as in Arabic, show no seam.
    for letter in letters {
      add(letter, widened: letter.fatten, .miter(limit: CaptionFace.Fitting.miterLimit))
    }
    raster.fill(look.fill, on: canvas.picture, within: canvas.bounds)
    for letter in letters where letter.fatten > 0 && letter.contours.areCrossing {
      add(letter, widened: 0, .round)
    }
    raster.fill(look.fill, on: canvas.picture, within: canvas.bounds)
  }

  /// Draws color glyphs, which Cairo does.
  ///
  /// One at a time: the rectangle around a rotated run is much larger than its glyphs. In an empty image, Cairo also
  /// erases what a glyph's rectangle covers of the glyphs before it.
  private func show(_ run: GlyphRun, on canvas: InkCanvas) throws(ImagingError) {
    try run.forEachSingle { glyph, left throws(ImagingError) in
      var matrix = canvas.matrix(right: left)
      guard
        let bounds = PixelBounds(touchedBy: glyph.extent(in: matrix), within: canvas.bounds)
      else { return }
      try CaptionOverlay.draw(within: bounds, on: canvas.picture, pixelsAtOnce: pixelsAtOnce) {
        cairo in
        cairo_transform(cairo, &matrix)
        cairo_set_source_rgb(
          cairo, Double(look.fill.red) / 255, Double(look.fill.green) / 255,
          Double(look.fill.blue) / 255)
        glyph.show(on: cairo)
      }
    }
  }

  /// Adds a letter to the next fill of the raster.
  ///
  /// - Parameter width: of the pen that widens it, in em.
  private func add(_ letter: Letter, widened width: Double, _ join: PathOffset.Join) {
    // The contours are stretched and rotated, but the pen is as wide as it is high.
    let offset = PathOffset(distance: width / 2 * fit.size, join: join)
    for polygon in offset.polygons(around: letter.contours) { raster.add(polygon) }
  }
}
