import Bytes
import Imaging
import Memes
import Rendering

/// Creates avatars on one thread, and checks the deadline between its steps.
struct AvatarPipeline {
  private static let quality = 88

  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  /// The center square of a file in all sizes, in the order of ``AvatarSize``. Uses the first frame of an animation.
  func avatar(of file: Bytes) throws -> [DrawnFile] {
    let header = try ticket.step { try limits.header(of: file) }
    let edge = min(header.width, header.height)
    let middle = CropArea(
      left: (header.width - edge) / 2, top: (header.height - edge) / 2, width: edge, height: edge)
    let largest = PixelSize(width: AvatarSize.large.rawValue, height: AvatarSize.large.rawValue)
    try ticket.claim(.still(header, output: largest, [.png]))
    try ticket.step {
      try PictureDecoder.decode(
        file, header: header, crop: middle, maximumEdge: AvatarSize.large.rawValue,
        into: worker.picture)
      // Scale each size down from the next larger one.
      try worker.picture.scale(toFit: AvatarSize.medium.rawValue, into: worker.grid)
      try worker.grid.scale(toFit: AvatarSize.small.rawValue, into: worker.table)
    }
    let isTransparent = worker.picture.hasAlpha
    var files: [DrawnFile] = []
    for size in AvatarSize.allCases {
      let pixels =
        switch size {
        case .small: worker.table
        case .medium: worker.grid
        case .large: worker.picture
        }
      files.append(
        try ticket.step {
          try self.file(pixels, isTransparent ? .png : .jpeg)
        })
    }
    return files
  }

  /// Draws initials in white, centered on their background color.
  func draw(
    _ initials: String, on background: Color, _ size: AvatarSize
  ) throws -> DrawnFile {
    let artist = try worker.artist()
    return try ticket.step {
      let edge = size.rawValue
      worker.table.fill(width: edge, height: edge, with: InkColor(background))
      var letters = CaptionLook()
      (letters.font, letters.letters, letters.outlineWidth) = ("rounded", .asTyped, 0)
      letters.size = 0.46
      let margin = edge / 6
      let box = InkBox(
        left: margin, top: margin, width: edge - 2 * margin, height: edge - 2 * margin)
      _ = try artist.draw(
        BoxedText(initials, in: box, at: .middle, look: letters), on: worker.table)
      return try file(worker.table, .png)
    }
  }

  private func file(
    _ pixels: PixelBuffer, _ format: PictureFormat
  ) throws(ImagingError) -> DrawnFile {
    let bytes =
      format == .png
      ? try PictureEncoder.png(pixels) : try PictureEncoder.jpeg(pixels, quality: Self.quality)
    return DrawnFile(size: PixelSize(pixels), format: format, bytes: bytes)
  }
}
