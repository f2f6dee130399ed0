import Bytes
import Imaging
import Memes
import Rendering

extension RenderPipeline {
  /// The limit on the pixels of all canvases of an animation together, unless that is less than twice its own pixels.
  /// Otherwise a small file with many frames could cost much more than a caller can be charged at once.
  private static let canvasPixels = 8_000_000

  /// The format of an animated result. `nil` if the picture is a still, or if none of the requested formats can be
  /// animated. The first frame is drawn then.
  func movingFormat(of header: PictureHeader) -> OutputFormat? {
    guard header.frames > 1 else { return nil }
    let formats = order.format.map { [$0] } ?? order.acceptableFormats
    return OutputFormat.moving(as: PictureFormat(header.kind), among: formats)
  }

  /// Draws the pictures in boxes and the captions once and composites them onto every frame. Leaves the first frame for
  /// the thumbnails.
  func drawMoving(
    _ file: Bytes, _ header: PictureHeader, as format: OutputFormat, _ boxed: [Boxed]
  ) throws -> (DrawnFile, [CaptionFit]) {
    let (shape, bars) = try shape(
      of: PixelSize(header),
      within: OutputBounds([format], within: order.maxEdge, order.sizeLimit))
    let size = shape.size(of: PixelSize(header))
    let canvas = canvas(
      in: [format],
      pixels: max(Self.canvasPixels / header.frames, 2 * size.width * size.height))
    let need = require(size, on: canvas, frames: header.frames) { frame in
      .moving(header, frame: frame, as: format, recipe)
    }
    try ticket.claim(need)
    let drawing = PixelBuffer()
    try step {
      try drawing.clear(width: size.width, height: size.height)
    }
    try draw(
      boxed, on: drawing, rows: shape.above..<max(shape.above, size.height - shape.below),
      within: need)
    let fit = try drawCaptions(on: drawing, bars)
    let late = Interruption()
    do throws(ImagingError) {
      let bytes = try MovingPicture.redraw(
        file, header: header, shape: shape, ink: InkLayer(drawing),
        on: canvas.map { Backdrop($0) }, as: format == .webp ? .webp : .gif, first: worker.picture
      ) { [ticket] in late.isDue(ticket) }
      worker.picture.dropOpaqueAlpha()
      let file = DrawnFile(
        size: canvas ?? size, format: PictureFormat(format), bytes: bytes)
      return (file, fit)
    } catch {
      throw late.error ?? MemeError(error)
    }
  }
}
