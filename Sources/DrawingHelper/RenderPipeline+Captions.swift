import Imaging
import Memes
import Rendering

extension RenderPipeline {
  /// The shape of the picture before captions are drawn on it: crop, scale and bars.
  ///
  /// - Parameter bounds: the limits of the whole picture, including bars.
  /// - Returns: the shape, and the bars if the recipe has any.
  func shape(
    of picture: PixelSize, within bounds: OutputBounds
  ) throws -> (PictureShape, CaptionBars?) {
    var shape = PictureShape(maximumEdge: .max)
    shape.crop = recipe.crop.map(CropArea.init)
    shape.maximumEdge = bounds.longestEdge(of: shape.size(of: picture))
    guard recipe.layout == .bar else { return (shape, nil) }
    let size = shape.size(of: picture)
    let largest = max(size.width, size.height)
    // The height of bars is nearly proportional to the picture. The second try usually
    // fits, and the fifth is good enough.
    var best: (shape: PictureShape, bars: CaptionBars)?
    var (edge, tooLarge, tries) = (largest, largest + 1, 0)
    while true {
      tries += 1
      shape.maximumEdge = edge
      let (fitted, bars) = try addingBars(to: shape, of: picture)
      let whole = fitted.size(of: picture)
      let framed = fillingCanvas(fitted, whole, within: bounds)
      if bounds.hold(whole) || edge == 1 {
        best = (framed, bars)
        if edge == largest || bounds.areNearlyFilled(by: whole) { return (framed, bars) }
      } else {
        tooLarge = edge
      }
      edge = max(1, min(bounds.edge(after: edge, with: whole), tooLarge - 1))
      if let best, edge <= best.shape.maximumEdge || tries == 5 { return (best.shape, best.bars) }
    }
  }

  /// Adds rows to a bar if only a few are missing: the backdrop would be a thin line above and below the bars.
  private func fillingCanvas(
    _ shape: PictureShape, _ whole: PixelSize, within bounds: OutputBounds
  ) -> PictureShape {
    guard let canvas = order.canvas, shape.above + shape.below > 0 else { return shape }
    let height = min(canvas.height, bounds.height)
    let missing = height - whole.height
    guard (1...max(1, height / 50)).contains(missing) else { return shape }
    var filling = shape
    if shape.below > 0 { filling.below += missing } else { filling.above += missing }
    return filling
  }

  private func addingBars(
    to shape: PictureShape, of picture: PixelSize
  ) throws -> (PictureShape, CaptionBars) {
    var shape = shape
    let (artist, size) = (try worker.artist(), shape.size(of: picture))
    let bars = try step {
      artist.bars(
        above: recipe.top.text, below: recipe.bottom.text, look: CaptionLook(recipe.style),
        sameSize: recipe.sameSize, width: size.width, height: size.height)
    }
    (shape.above, shape.below) = (bars.above, bars.below)
    return (shape, bars)
  }

  /// Draws all captions. The picture must already include its bars.
  func drawCaptions(
    on picture: PixelBuffer, _ bars: CaptionBars?
  ) throws -> [CaptionFit] {
    if let bars { return try draw(bars, on: picture) }
    return recipe.captions.isEmpty ? try drawEdges(on: picture) : try drawBoxes(on: picture)
  }

  private func drawEdges(on picture: PixelBuffer) throws -> [CaptionFit] {
    let look = CaptionLook(recipe.style)
    let outcomes = try draw(
      [
        BoxedText(recipe.top.text, at: .top, look: look, on: picture),
        BoxedText(recipe.bottom.text, at: .bottom, look: look, on: picture),
      ], on: picture)
    return fits(outcomes[0], outcomes[1])
  }

  private func drawBoxes(on picture: PixelBuffer) throws -> [CaptionFit] {
    let texts = recipe.captions.map { box in
      BoxedText(
        box.text.text, in: InkBox(box.place, in: picture), at: CaptionEdge(box.verticalAlign),
        rotation: box.rotation, look: CaptionLook(box.style.over(recipe.style)))
    }
    return try draw(texts, on: picture).enumerated().compactMap { index, outcome in
      outcome.map { CaptionFit($0, at: .box(index)) }
    }
  }

  /// - Returns: the outcome of each text; `nil` for a blank one.
  private func draw(_ texts: [BoxedText], on picture: PixelBuffer) throws -> [CaptionOutcome?] {
    let artist = try worker.artist()
    let limit =
      recipe.sameSize
      ? try texts.compactMap { text in try step { artist.size(of: text, on: picture) } }.min() : nil
    return try texts.map { text in
      try step { try artist.draw(text, limit: limit, on: picture) }
    }
  }

  private func draw(_ bars: CaptionBars, on picture: PixelBuffer) throws -> [CaptionFit] {
    let artist = try worker.artist()
    try step { try artist.draw(bars, on: picture) }
    return fits(bars.outcomes.top, bars.outcomes.bottom)
  }

  private func fits(_ top: CaptionOutcome?, _ bottom: CaptionOutcome?) -> [CaptionFit] {
    [
      top.map { CaptionFit($0, at: .top) }, bottom.map { CaptionFit($0, at: .bottom) },
    ].compactMap(\.self)
  }
}
