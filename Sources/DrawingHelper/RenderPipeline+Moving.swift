import Bytes
import Imaging
import Memes
import Rendering

extension RenderPipeline {
  /// What a picture that moves becomes, if it goes on moving: not where a still is asked for, of which the first frame is
  /// made.
  func movingFormat(of header: PictureHeader) -> OutputFormat? {
    guard header.frames > 1 else { return nil }
    let formats = order.format.map { [$0] } ?? order.acceptableFormats
    return OutputFormat.moving(as: PictureFormat(header.kind), among: formats)
  }

  /// Draws the captions once and lays them over every frame. The first frame is left for the thumbnails.
  func drawMoving(
    _ file: Bytes, _ header: PictureHeader, as format: OutputFormat
  ) throws(MemeError) -> (DrawnFile, [CaptionFit]) {
    let (shape, bars) = try shape(
      of: PixelSize(header), within: OutputBounds(order.maxEdge, [format]))
    let size = shape.size(of: PixelSize(header))
    try ticket.claim(.moving(header, frame: size, as: format, recipe))
    let drawing = PixelBuffer()
    try step { () throws(ImagingError) in
      try drawing.clear(width: size.width, height: size.height)
    }
    let fit = try drawCaptions(on: drawing, bars)
    let late = Interruption()
    do throws(ImagingError) {
      let bytes = try MovingPicture.redraw(
        file, header: header, shape: shape, ink: InkLayer(drawing),
        as: format == .webp ? .webp : .gif, first: worker.picture
      ) { [ticket] in late.isDue(ticket) }
      worker.picture.dropOpaqueAlpha()
      let file = DrawnFile(
        size: size, format: PictureFormat(format), bytes: bytes)
      return (file, fit)
    } catch {
      throw late.error ?? MemeError(error)
    }
  }
}
