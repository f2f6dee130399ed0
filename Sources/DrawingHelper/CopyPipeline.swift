import Bytes
import Imaging
import Memes
import Rendering

/// Creates the public copy of a file on one thread, and checks the deadline between its steps.
///
/// The copy is upright, in sRGB and limited to the crop. It has no metadata: no location, no camera, and no embedded
/// thumbnail with parts outside the crop. An animation stays animated. Memes are drawn on the copy, so it loses little
/// quality: PNG, GIF and transparent pictures become PNG, and all others become JPEG without chroma subsampling.
struct CopyPipeline {
  /// The maximum number of pixels of a still; larger ones are scaled down. It bounds the
  /// work that a small request can cause.
  static let maximumPixels = 16 << 20
  /// At this quality, the loss of a second encoding is hardly visible.
  private static let quality = 95
  private static let thumbnailEdge = 512

  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  /// Creates the copy. Leaves its pixels in the worker's picture; for an animation, the pixels of its first frame.
  ///
  /// - Parameter crop: `nil` for the whole picture.
  func copy(_ file: Bytes, crop: Crop?) throws -> DrawnFile {
    let header = try ticket.step { try limits.header(of: file) }
    try crop.check(inside: PixelSize(header))
    var shape = PictureShape(maximumEdge: .max)
    shape.crop = crop.map(CropArea.init)
    if header.frames > 1, let format = MovingPicture.Format(header.kind) {
      return try copyMoving(file, header, shape, as: format)
    }
    shape.maximumEdge = shape.size(of: PixelSize(header)).longestEdge(
      withinPixels: Self.maximumPixels)
    try ticket.claim(.still(header, output: shape.size(of: PixelSize(header)), [.png]))
    try ticket.step {
      try PictureDecoder.decode(
        file, header: header, crop: shape.crop, maximumEdge: shape.maximumEdge,
        into: worker.picture)
    }
    let isExact = worker.picture.hasAlpha || header.kind == .png || header.kind == .gif
    let bytes = try ticket.step {
      isExact
        ? try PictureEncoder.png(worker.picture)
        : try PictureEncoder.jpeg(worker.picture, quality: Self.quality, fullColour: true)
    }
    return DrawnFile(
      size: PixelSize(worker.picture), format: isExact ? .png : .jpeg, bytes: bytes)
  }

  /// Makes a thumbnail of the worker's picture.
  func thumbnail() throws -> DrawnFile {
    let isTransparent = worker.picture.hasAlpha
    let bytes = try ticket.step {
      try worker.picture.scale(toFit: Self.thumbnailEdge, into: worker.grid)
      return isTransparent
        ? try PictureEncoder.png(worker.grid) : try PictureEncoder.jpeg(worker.grid, quality: 80)
    }
    return DrawnFile(
      size: PixelSize(worker.grid), format: isTransparent ? .png : .jpeg, bytes: bytes)
  }

  private func copyMoving(
    _ file: Bytes, _ header: PictureHeader, _ whole: PictureShape, as format: MovingPicture.Format
  ) throws -> DrawnFile {
    var shape = whole
    shape.maximumEdge = OutputFormat.webp.longestEdge ?? whole.maximumEdge
    let size = shape.size(of: PixelSize(header))
    try ticket.claim(.moving(header, frame: size, as: format == .webp ? .webp : .gif))
    let nothing = PixelBuffer()
    try ticket.step {
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
  /// `nil` if this kind cannot be animated, or cannot be written as an animation.
  fileprivate init?(_ kind: PictureKind) {
    switch kind {
    case .gif: self = .gif
    case .webp: self = .webp
    default: return nil
    }
  }
}

extension Crop? {
  /// - Throws: ``MemeError/invalid(field:_:)`` with the actual size if the crop exceeds the picture.
  func check(inside size: PixelSize) throws {
    do throws(InvalidValue) { try self?.check(inside: size) } catch {
      throw MemeError.invalid(field: "crop", error)
    }
  }
}
