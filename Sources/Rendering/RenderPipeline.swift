import Bytes
import Imaging
import Memes

/// The steps from an order to a drawn meme, on one thread, with a look at the clock between them.
struct RenderPipeline {
  let order: RenderOrder
  let limits: PictureLimits
  let digest: Digester
  let worker: RenderWorker
  let ticket: RenderTicket

  var recipe: Recipe { order.recipe }

  func run() throws(MemeError) -> RenderedMeme {
    let header = try step { () throws(ImagingError) in try readHeader() }
    let size = PixelSize(width: header.width, height: header.height)
    if let crop = recipe.crop {
      do throws(InvalidValue) { try crop.check(inside: size) } catch {
        throw .invalid(field: "crop", error)
      }
    }
    let (image, fit) =
      if let format = movingFormat(of: header) {
        try drawMoving(header, as: format)
      } else {
        try drawStill(header)
      }
    let thumbnails =
      order.thumbnails
      ? try step { () throws(ImagingError) in try makeThumbnails() } : nil
    return RenderedMeme(
      original: PictureFacts(
        size: size, format: PictureFormat(header.kind), byteCount: order.picture.count,
        digest: digest(order.picture)),
      image: image, thumbnails: thumbnails, fit: fit)
  }

  private func drawStill(
    _ header: PictureHeader
  ) throws(MemeError) -> (PictureFile, [CaptionFit]) {
    let (shape, bars) = try shape(of: header, longestEdge: longestEdge)
    try step { () throws(ImagingError) in
      try decode(header, shape)
      try addBars(shape)
    }
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
    try ticket.check()
    do throws(ImagingError) { return try body() } catch { throw MemeError(error) }
  }

  private func readHeader() throws(ImagingError) -> PictureHeader {
    if limits == .ofRenders, PictureKind(sniffing: order.picture) == .avif {
      _ = try Vips.allow([.avif])
    }
    return try PictureHeader(
      of: order.picture, kinds: limits.kinds, maximumPixels: limits.pixels,
      maximumFrames: limits.frames)
  }

  private func decode(_ header: PictureHeader, _ shape: PictureShape) throws(ImagingError) {
    try PictureDecoder.decode(
      order.picture, header: header, crop: shape.crop, maximumEdge: shape.maximumEdge,
      into: worker.picture)
  }

  private func addBars(_ shape: PictureShape) throws(ImagingError) {
    let picture = worker.picture
    // A row that the picture has too many is one of a bar's margin.
    let excess = max(0, picture.height + shape.above + shape.below - longestEdge)
    let (above, below) =
      shape.below > 0 ? (shape.above, shape.below - excess) : (shape.above - excess, 0)
    try picture.addBars(above: above, below: below)
  }

  /// What was asked for, and what may come of it can hold.
  private var longestEdge: Int {
    let becomesWebP =
      order.format.map { $0 == .webp }
      ?? (order.acceptableFormats.contains(.webp) && !order.acceptableFormats.contains(.jpeg))
    return becomesWebP
      ? min(order.maxEdge.pixels, PictureEncoder.longestWebPEdge) : order.maxEdge.pixels
  }

  /// The grid's from the render, and the table's from the grid's.
  private func makeThumbnails() throws(ImagingError) -> RenderedMeme.Thumbnails {
    try worker.picture.scale(toFit: 512, into: worker.grid)
    try worker.grid.scale(toFit: 192, into: worker.table)
    // What became a JPEG has none any more.
    let format: OutputFormat = worker.picture.hasAlpha ? .png : .jpeg
    return RenderedMeme.Thumbnails(
      table: try encode(worker.table, as: format, quality: 80),
      grid: try encode(worker.grid, as: format, quality: 80))
  }

  private func encode(
    _ pixels: PixelBuffer, as format: OutputFormat, quality: Int
  ) throws(ImagingError) -> PictureFile {
    let bytes =
      switch format {
      case .jpeg: try PictureEncoder.jpeg(pixels, quality: quality)
      case .png: try PictureEncoder.png(pixels)
      case .webp: try PictureEncoder.webp(pixels)
      case .gif: try PictureEncoder.gif(pixels)
      case .avif: try PictureEncoder.avif(pixels)
      }
    return file(bytes, as: format, width: pixels.width, height: pixels.height)
  }

  func file(_ bytes: Bytes, as format: OutputFormat, width: Int, height: Int) -> PictureFile {
    PictureFile(
      facts: PictureFacts(
        size: PixelSize(width: width, height: height), format: PictureFormat(format),
        byteCount: bytes.count, digest: digest(bytes)),
      bytes: bytes)
  }
}
