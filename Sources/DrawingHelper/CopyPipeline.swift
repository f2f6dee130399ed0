import Bytes
import Imaging
import Memes
import Rendering

/// The steps from a file to what everybody may have of it, on one thread, with a look at the clock between them.
///
/// The copy is upright and in sRGB, has the pixels within a crop, and nothing that the file says beside its pixels: no place,
/// no camera, no small picture of what the crop removes. It goes on moving. Memes are made of it, so it loses little: what
/// came as PNG or GIF, or is transparent, is PNG, and the rest JPEG with its colours at full sharpness.
struct CopyPipeline {
  /// What a still has at most; larger ones are made smaller. What a request of a few bytes can have made is bounded by it.
  static let maximumPixels = 16 << 20
  /// The file's is hardly to be seen in the second generation.
  private static let quality = 95
  private static let thumbnailEdge = 512

  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  /// Leaves the copy's pixels, of one that moves the first frame's, in the worker's picture.
  ///
  /// - Parameter crop: `nil`: all of the picture.
  func copy(_ file: Bytes, crop: Crop?) throws(MemeError) -> DrawnFile {
    let header = try ticket.step { () throws(ImagingError) in try limits.header(of: file) }
    try crop.check(inside: PixelSize(header))
    var shape = PictureShape(maximumEdge: .max)
    shape.crop = crop.map(CropArea.init)
    if header.frames > 1, let format = MovingPicture.Format(header.kind) {
      return try copyMoving(file, header, shape, as: format)
    }
    shape.maximumEdge = shape.size(of: PixelSize(header)).longestEdge(
      withinPixels: Self.maximumPixels)
    try ticket.claim(.still(header, output: shape.size(of: PixelSize(header)), [.png]))
    try ticket.step { () throws(ImagingError) in
      try PictureDecoder.decode(
        file, header: header, crop: shape.crop, maximumEdge: shape.maximumEdge,
        into: worker.picture)
    }
    let isExact = worker.picture.hasAlpha || header.kind == .png || header.kind == .gif
    let bytes = try ticket.step { () throws(ImagingError) in
      isExact
        ? try PictureEncoder.png(worker.picture)
        : try PictureEncoder.jpeg(worker.picture, quality: Self.quality, fullColour: true)
    }
    return DrawnFile(
      size: PixelSize(worker.picture), format: isExact ? .png : .jpeg, bytes: bytes)
  }

  /// A small still of the worker's picture.
  func thumbnail() throws(MemeError) -> DrawnFile {
    let isTransparent = worker.picture.hasAlpha
    let bytes = try ticket.step { () throws(ImagingError) in
      try worker.picture.scale(toFit: Self.thumbnailEdge, into: worker.grid)
      return isTransparent
        ? try PictureEncoder.png(worker.grid) : try PictureEncoder.jpeg(worker.grid, quality: 80)
    }
    return DrawnFile(
      size: PixelSize(worker.grid), format: isTransparent ? .png : .jpeg, bytes: bytes)
  }

  private func copyMoving(
    _ file: Bytes, _ header: PictureHeader, _ whole: PictureShape, as format: MovingPicture.Format
  ) throws(MemeError) -> DrawnFile {
    var shape = whole
    shape.maximumEdge = OutputFormat.webp.longestEdge ?? whole.maximumEdge
    let size = shape.size(of: PixelSize(header))
    try ticket.claim(.moving(header, frame: size, as: format == .webp ? .webp : .gif))
    let nothing = PixelBuffer()
    try ticket.step { () throws(ImagingError) in
      try nothing.clear(width: size.width, height: size.height)
    }
    let late = Interruption()
    do throws(ImagingError) {
      let bytes = try MovingPicture.redraw(
        file, header: header, shape: shape, ink: InkLayer(nothing), as: format,
        quality: Self.quality, first: worker.picture
      ) { [ticket] in late.isDue(ticket) }
      worker.picture.dropOpaqueAlpha()
      return DrawnFile(
        size: PixelSize(worker.picture), format: PictureFormat(header.kind), bytes: bytes)
    } catch {
      throw late.error ?? MemeError(error)
    }
  }
}

extension MovingPicture.Format {
  /// `nil` of a kind that does not move, or is not written as one that does.
  fileprivate init?(_ kind: PictureKind) {
    switch kind {
    case .gif: self = .gif
    case .webp: self = .webp
    default: return nil
    }
  }
}

extension Crop? {
  /// - Throws: ``MemeError/invalid(field:_:)`` with the true size, where the picture is smaller.
  func check(inside size: PixelSize) throws(MemeError) {
    do throws(InvalidValue) { try self?.check(inside: size) } catch {
      throw .invalid(field: "crop", error)
    }
  }
}
