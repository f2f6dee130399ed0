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
    try CaptionOverlay.draw(within: ink, on: picture, pixelsAtOnce: pixelsAtOnce) { cairo in
      turn.apply(to: cairo)
      cairo_translate(cairo, left, top)
      draw(on: cairo)
    }
  }

  /// Draws the text. Cairo's origin is the upper left corner of the ink, outline included.
  private func draw(on cairo: OpaquePointer) {
    // An error of a quarter pixel is invisible, and saves most of the outline's corners.
    cairo_set_tolerance(cairo, 0.25)
    place(cairo) { run in outline(run, on: cairo) }
    place(cairo) { run in fill(run, on: cairo) }
  }

  /// Calls `draw` with each run. Cairo's origin is the start of the run's baseline, and a unit is a
  /// pixel of the layout.
  private func place(_ cairo: OpaquePointer, _ draw: (GlyphRun) -> Void) {
    let scale = fit.size / TextLayout.pixelsPerEm
    let widest = (fit.lines.map(\.width).max() ?? 0) * fit.size
    let outside = (fit.width - widest) / 2
    var index = 0
    layout.forEachLine { line in
      defer { index += 1 }
      guard index < fit.lines.count else { return }
      let ink = fit.lines[index]
      let spare = (widest - ink.width * fit.size) * look.alignment.share
      let start = outside + spare - ink.left * fit.size
      layout.forEachRun(in: line) { run, left, stretch in
        cairo_save(cairo)
        cairo_translate(cairo, start + left * fit.size, fit.baselines[index])
        cairo_scale(cairo, scale * stretch, scale)
        draw(run)
        cairo_restore(cairo)
      }
    }
  }

  private func outline(_ run: GlyphRun, on cairo: OpaquePointer) {
    guard look.outlineWidth > 0 else { return }
    guard !run.isColoured else { return surround(run, on: cairo) }
    stroke(run, look.outline, .round, on: cairo) { look.outlineWidth + layout.fatten($0, of: run) }
  }

  /// Outlines color glyphs, which have no edges to stroke: draws their shape in the outline's color,
  /// shifted in all directions.
  private func surround(_ run: GlyphRun, on cairo: OpaquePointer) {
    let radius = look.outlineWidth / 2 * fit.size
    guard let shape = GlyphShape(run, near: radius, on: cairo) else { return }
    setColour(look.outline, on: cairo)
    cairo_save(cairo)
    cairo_identity_matrix(cairo)
    let steps = 16
    for step in 0..<steps {
      let angle = 2 * .pi * Double(step) / Double(steps)
      shape.mask(cairo, right: radius * cos(angle), down: radius * sin(angle))
    }
    cairo_restore(cairo)
  }

  private func fill(_ run: GlyphRun, on cairo: OpaquePointer) {
    setColour(look.fill, on: cairo)
    guard !run.isColoured else { return run.show(on: cairo) }
    // Fill all letters at once, so that letters that touch, as in Arabic, show no seam.
    run.traceEachGlyph(on: cairo) { _ in
      for polygon in GlyphEdges(pathOf: cairo).polygons {
        for corner in polygon { raster.add(corner) }
        raster.close()
      }
    }
    raster.fill(look.fill, on: cairo)
    stroke(run, look.fill, .miter(limit: CaptionFace.Fitting.miterLimit), on: cairo) {
      layout.fatten($0, of: run)
    }
  }

  /// Strokes the edges letter by letter.
  ///
  /// - Parameter width: returns the width of the pen for a glyph, in em; 0 for no stroke.
  private func stroke(
    _ run: GlyphRun, _ color: InkColor, _ join: PenStroke.Join, on cairo: OpaquePointer,
    width: (UInt32) -> Double
  ) {
    run.traceEachGlyph(on: cairo) { glyph in
      let width = width(glyph)
      guard width > 0 else { return }
      // The edges are stretched and rotated, but the pen is as wide as it is high.
      let pen = PenStroke(width: width * fit.size, join: join)
      for polygon in GlyphEdges(pathOf: cairo).polygons {
        pen.add(polygon, to: raster)
      }
      raster.fill(color, on: cairo)
    }
  }

  private func setColour(_ colour: InkColor, on cairo: OpaquePointer) {
    cairo_set_source_rgb(
      cairo, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
  }
}
