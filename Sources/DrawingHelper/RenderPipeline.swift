import Bytes
import Imaging
import Memes
import Rendering

/// Draws the meme of an order on one thread, and checks the deadline between its steps.
struct RenderPipeline {
  let order: RenderOrder
  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  var recipe: Recipe { order.recipe }

  func run() throws -> DrawnMeme {
    let boxed = try boxedFiles()
    var meme =
      if let meme = try drawFromShelf(boxed) { meme } else { try drawFromFile(boxed) }
    meme.boxed = boxed.map(\.copy)
    if order.thumbnails {
      meme.thumbnails = try step { try makeThumbnails() }
    }
    return meme
  }

  private func drawFromFile(_ boxed: [Boxed]) throws -> DrawnMeme {
    let copy = try copiedPicture()
    let file = if let copy { copy.bytes } else { try order.picture.bytes() }
    let header = try step { try limits.header(of: file) }
    try recipe.crop.check(inside: PixelSize(header))
    let (image, fit) =
      if let format = movingFormat(of: header) {
        try drawMoving(file, header, as: format, boxed)
      } else {
        try drawStill(file, header, boxed)
      }
    return DrawnMeme(
      original: order.picture.facts.map { PictureHead(size: $0.size, format: $0.format) }
        ?? copy.map { PictureHead(size: $0.size, format: $0.format) } ?? PictureHead(header),
      copy: copy?.bytes, image: image, fit: fit)
  }

  /// The copy to draw on, if the order asks for one; `nil` to draw on the order's own file.
  private func copiedPicture() throws -> DrawnFile? {
    guard case .copied(_, let crop) = order.picture else { return nil }
    let copying = CopyPipeline(limits: limits, worker: worker, ticket: ticket)
    return try copying.copy(order.picture.bytes(), crop: crop)
  }

  private func drawStill(
    _ file: Bytes, _ header: PictureHeader, _ boxed: [Boxed]
  ) throws -> (DrawnFile, [CaptionFit]) {
    let (shape, bars) = try shape(of: PixelSize(header), within: bounds)
    let need = require(shape.size(of: PixelSize(header)), on: canvas) { output in
      .still(header, output: output, formats(mayBeTransparent: header.hasAlpha), recipe)
    }
    try ticket.claim(need)
    try step {
      try PictureDecoder.decode(
        file, header: header, crop: shape.crop, maximumEdge: shape.maximumEdge,
        into: worker.picture)
    }
    if header.frames == 1 { putOnShelf(shape) }
    return try drawStill(shape, bars, boxed, within: need)
  }

  /// Draws on the worker's picture, which must not include bars yet.
  ///
  /// - Parameter need: the claimed resources.
  func drawStill(
    _ shape: PictureShape, _ bars: CaptionBars?, _ boxed: [Boxed], within need: JobRequirements
  ) throws -> (DrawnFile, [CaptionFit]) {
    try draw(boxed, on: worker.picture, rows: 0..<worker.picture.height, within: need)
    try step { try addBars(shape) }
    let fit = try drawCaptions(on: worker.picture, bars)
    if let canvas { try step { try putOn(canvas) } }
    let format =
      order.format
      ?? OutputFormat.suiting(
        transparent: worker.picture.hasAlpha, among: order.acceptableFormats)
    let image = try step {
      try encode(worker.picture, as: format, quality: 85)
    }
    return (image, fit)
  }

  /// Runs one step, unless the order is cancelled or its deadline has passed.
  func step<Value>(_ body: () throws -> Value) throws -> Value {
    try ticket.step(body)
  }

  private func addBars(_ shape: PictureShape) throws(ImagingError) {
    let picture = worker.picture
    // If the picture is a row too high, remove the row from the margin of a bar.
    let excess = max(0, picture.height + shape.above + shape.below - bounds.height)
    let (above, below) =
      shape.below > 0 ? (shape.above, shape.below - excess) : (shape.above - excess, 0)
    try picture.addBars(above: above, below: below)
  }

  /// The canvas of a still.
  var canvas: PixelSize? { canvas(in: formats(mayBeTransparent: true)) }

  /// The order's canvas, scaled down to what the possible formats can hold, and to this many pixels.
  func canvas(in formats: [OutputFormat], pixels: Int = .max) -> PixelSize? {
    order.canvas.map { canvas in
      canvas.scaled(
        toFit: min(
          OutputBounds(formats).longestEdge(of: canvas),
          canvas.longestEdge(withinPixels: pixels)))
    }
  }

  /// The resources of a picture and its canvas.
  ///
  /// - Parameters:
  ///   - output: the size of the picture without the canvas.
  ///   - canvas: `nil` for none.
  ///   - frames: the number of pictures that are put on the canvas.
  ///   - need: returns the resources of a picture of a size.
  func require(
    _ output: PixelSize, on canvas: PixelSize?, frames: Int = 1,
    _ need: (PixelSize) -> JobRequirements
  ) -> JobRequirements {
    guard let canvas else { return need(output) }
    // A picture with bars may be larger than its canvas before it is made to fit.
    let (alone, whole, pixels) = (need(output), need(canvas), canvas.width * canvas.height)
    return JobRequirements(
      bytes: max(alone.bytes, whole.bytes) + 4 * pixels,
      cost: max(alone.cost, whole.cost) + pixels * frames)
  }

  private func putOn(_ canvas: PixelSize) throws(ImagingError) {
    try Backdrop(canvas)
      .put(behind: worker.picture, on: worker.grid, small: worker.table)
  }

  var bounds: OutputBounds {
    OutputBounds(formats(mayBeTransparent: true), within: order.maxEdge, order.sizeLimit)
  }

  /// The formats that a still may be encoded in. Transparency is known only after the picture is decoded.
  func formats(mayBeTransparent: Bool) -> [OutputFormat] {
    order.format.map { [$0] }
      ?? (mayBeTransparent ? [true, false] : [false]).map { isTransparent in
        OutputFormat.suiting(transparent: isTransparent, among: order.acceptableFormats)
      }
  }

  /// Scales the grid's thumbnail from the render, and the table's thumbnail from the grid's.
  private func makeThumbnails() throws(ImagingError) -> DrawnMeme.Thumbnails {
    try worker.picture.scale(toFit: 512, into: worker.grid)
    try worker.grid.scale(toFit: 192, into: worker.table)
    // Encoding a JPEG has removed the alpha channel.
    let format: OutputFormat = worker.picture.hasAlpha ? .png : .jpeg
    return DrawnMeme.Thumbnails(
      table: try encode(worker.table, as: format, quality: 80),
      grid: try encode(worker.grid, as: format, quality: 80))
  }

  private func encode(
    _ pixels: PixelBuffer, as format: OutputFormat, quality: Int
  ) throws(ImagingError) -> DrawnFile {
    let bytes =
      switch format {
      case .jpeg: try PictureEncoder.jpeg(pixels, quality: quality)
      case .png: try PictureEncoder.png(pixels)
      case .webp: try PictureEncoder.webp(pixels)
      case .gif: try PictureEncoder.gif(pixels)
      case .avif: try PictureEncoder.avif(pixels)
      }
    return DrawnFile(size: PixelSize(pixels), format: PictureFormat(format), bytes: bytes)
  }
}
