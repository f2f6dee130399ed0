import Bytes
import Imaging
import Memes
import Rendering

/// The steps to the pictures of a person, on one thread, with a look at the clock between them.
struct AvatarPipeline {
  private static let quality = 88

  let limits: PictureLimits
  let worker: RenderWorker
  let ticket: RenderTicket

  /// The middle square of a file, of one that moves its first frame's, in every size, in the order of ``AvatarSize``.
  func avatar(of file: Bytes) throws(MemeError) -> [DrawnFile] {
    let header = try ticket.step { () throws(ImagingError) in try limits.header(of: file) }
    let edge = min(header.width, header.height)
    let middle = CropArea(
      left: (header.width - edge) / 2, top: (header.height - edge) / 2, width: edge, height: edge)
    let largest = PixelSize(width: AvatarSize.large.rawValue, height: AvatarSize.large.rawValue)
    try ticket.claim(.still(header, output: largest, [.png]))
    try ticket.step { () throws(ImagingError) in
      try PictureDecoder.decode(
        file, header: header, crop: middle, maximumEdge: AvatarSize.large.rawValue,
        into: worker.picture)
      // Each from the next larger one.
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
        try ticket.step { () throws(ImagingError) in
          try self.file(pixels, isTransparent ? .png : .jpeg)
        })
    }
    return files
  }

  /// The initials in white, over the middle of their colour.
  func draw(
    _ initials: String, on background: Colour, _ size: AvatarSize
  ) throws(MemeError) -> DrawnFile {
    let artist = try worker.artist()
    return try ticket.step { () throws(ImagingError) in
      let edge = size.rawValue
      worker.table.fill(width: edge, height: edge, with: InkColour(background))
      var letters = CaptionLook()
      (letters.font, letters.letters, letters.outlineWidth) = ("rounded", .asTyped, 0)
      letters.size = 0.46
      let margin = edge / 6
      let box = InkBox(
        left: margin, top: margin, width: edge - 2 * margin, height: edge - 2 * margin)
      _ = try artist.draw(initials, in: box, at: .middle, look: letters, on: worker.table)
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
