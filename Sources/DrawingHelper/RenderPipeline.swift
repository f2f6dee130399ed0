import Bytes
import Imaging
import Memes
import Rendering

/// The steps from an order to a drawn meme, on one thread, with a look at the clock between them.
struct RenderPipeline {
  let order: RenderOrder
  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  var recipe: Recipe { order.recipe }

  func run() throws(MemeError) -> DrawnMeme {
    var meme = if let meme = try drawFromShelf() { meme } else { try drawFromFile() }
    if order.thumbnails {
      meme.thumbnails = try step { () throws(ImagingError) in try makeThumbnails() }
    }
    return meme
  }

  private func drawFromFile() throws(MemeError) -> DrawnMeme {
    let copy = try copiedPicture()
    let file = if let copy { copy.bytes } else { try order.picture.bytes() }
    let header = try step { () throws(ImagingError) in try limits.header(of: file) }
    try recipe.crop.check(inside: PixelSize(header))
    let (image, fit) =
      if let format = movingFormat(of: header) {
        try drawMoving(file, header, as: format)
      } else {
        try drawStill(file, header)
      }
    return DrawnMeme(
      original: order.picture.facts.map { PictureHead(size: $0.size, format: $0.format) }
        ?? copy.map { PictureHead(size: $0.size, format: $0.format) } ?? PictureHead(header),
      copy: copy?.bytes, image: image, fit: fit)
  }

  /// The file to draw on where it is made first; `nil` where it is the order's.
  private func copiedPicture() throws(MemeError) -> DrawnFile? {
    guard case .copied(_, let crop) = order.picture else { return nil }
    let copying = CopyPipeline(limits: limits, worker: worker, ticket: ticket)
    return try copying.copy(order.picture.bytes(), crop: crop)
  }

  private func drawStill(
    _ file: Bytes, _ header: PictureHeader
  ) throws(MemeError) -> (DrawnFile, [CaptionFit]) {
    let (shape, bars) = try shape(of: PixelSize(header), within: bounds)
    try ticket.claim(
      .still(
        header, output: shape.size(of: PixelSize(header)),
        formats(mayBeTransparent: header.hasAlpha), recipe))
    try step { () throws(ImagingError) in
      try PictureDecoder.decode(
        file, header: header, crop: shape.crop, maximumEdge: shape.maximumEdge,
        into: worker.picture)
    }
    if header.frames == 1 { putOnShelf(shape) }
    return try drawStill(shape, bars)
  }

  /// Draws on the worker's picture, which has no bars yet.
  func drawStill(
    _ shape: PictureShape, _ bars: CaptionBars?
  ) throws(MemeError) -> (DrawnFile, [CaptionFit]) {
    try step { () throws(ImagingError) in try addBars(shape) }
    let fit = try drawCaptions(on: worker.picture, bars)
    let format =
      order.format
      ?? OutputFormat.suiting(
        transparent: worker.picture.hasAlpha, among: order.acceptableFormats)
    let image = try step { () throws(ImagingError) in
      try encode(worker.picture, as: format, quality: 85)
    }
    return (image, fit)
  }

  /// One step, unless time is up.
  func step<Value>(_ body: () throws(ImagingError) -> Value) throws(MemeError) -> Value {
    try ticket.step(body)
  }

  private func addBars(_ shape: PictureShape) throws(ImagingError) {
    let picture = worker.picture
    // A row that the picture has too many is one of a bar's margin.
    let excess = max(0, picture.height + shape.above + shape.below - bounds.longestEdge)
    let (above, below) =
      shape.below > 0 ? (shape.above, shape.below - excess) : (shape.above - excess, 0)
    try picture.addBars(above: above, below: below)
  }

  var bounds: OutputBounds { OutputBounds(order.maxEdge, formats(mayBeTransparent: true)) }

  /// Those that a still may become: whether something is transparent is known once the picture is decoded.
  func formats(mayBeTransparent: Bool) -> [OutputFormat] {
    order.format.map { [$0] }
      ?? (mayBeTransparent ? [true, false] : [false]).map { isTransparent in
        OutputFormat.suiting(transparent: isTransparent, among: order.acceptableFormats)
      }
  }

  /// The grid's from the render, and the table's from the grid's.
  private func makeThumbnails() throws(ImagingError) -> DrawnMeme.Thumbnails {
    try worker.picture.scale(toFit: 512, into: worker.grid)
    try worker.grid.scale(toFit: 192, into: worker.table)
    // What became a JPEG has none any more.
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
