import Bytes
import Imaging
import Memes
import Rendering

extension CaptionLook {
  init(_ style: CaptionStyle) {
    self.init()
    (fill, outline) = (InkColor(style.fill), InkColor(style.outline))
    font = style.font.text
    (outlineWidth, size) = (style.outlineWidth, style.size)
    letters = style.letterCase == .upper ? .capitals : .asTyped
    alignment =
      switch style.align {
      case .left: .left
      case .center: .center
      case .right: .right
      }
  }
}

extension InkColor {
  init(_ colour: Color) {
    self.init(red: colour.red, green: colour.green, blue: colour.blue)
  }
}

extension CaptionEdge {
  init(_ align: CaptionBox.VerticalAlign) {
    self =
      switch align {
      case .top: .top
      case .middle: .middle
      case .bottom: .bottom
      }
  }
}

extension InkBox {
  /// - Parameter rows: the rows of the picture that the place refers to; `nil` for all.
  init(_ place: CaptionBox.Place, in picture: PixelBuffer, rows: Range<Int>? = nil) {
    let rows = rows ?? 0..<picture.height
    let box = InkBox(
      left: place.x, top: place.y, width: place.width, height: place.height,
      inPictureOfWidth: picture.width, height: rows.count)
    self.init(
      left: box.left, top: rows.lowerBound + box.top, width: box.width, height: box.height)
  }
}

extension Backdrop {
  init(_ canvas: PixelSize) { self.init(width: canvas.width, height: canvas.height) }
}

extension CropArea {
  init(_ crop: Crop) {
    self.init(left: crop.x, top: crop.y, width: crop.width, height: crop.height)
  }
}

extension CaptionFit {
  init(_ outcome: CaptionOutcome, at position: Position) {
    self.init(
      position: position, fontSize: outcome.fontSize, lines: outcome.lines,
      shrunk: outcome.isShrunk, truncated: outcome.isTruncated,
      missingGlyphs: outcome.missingGlyphs)
  }
}

extension PictureFormat {
  init(_ kind: PictureKind) {
    self =
      switch kind {
      case .jpeg: .jpeg
      case .png: .png
      case .gif: .gif
      case .webp: .webp
      case .avif: .avif
      case .heic: .heic
      }
  }
}

extension PictureKind {
  init(_ format: PictureFormat) {
    self =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .gif: .gif
      case .webp: .webp
      case .avif: .avif
      case .heic: .heic
      }
  }
}

extension FontFitting {
  init(_ face: CaptionFace) {
    self.init()
    (scale, fatten, stretch) = (face.scale, face.fitting.fatten, face.fitting.stretch)
    (letterSpacing, wordSpacing) = (face.fitting.spacing, face.fitting.wordSpacing)
  }
}

extension PixelSize {
  /// The size of the upright picture.
  init(_ header: PictureHeader) { self.init(width: header.width, height: header.height) }

  init(_ pixels: PixelBuffer) { self.init(width: pixels.width, height: pixels.height) }
}

extension PictureHead {
  init(_ header: PictureHeader) {
    self.init(size: PixelSize(header), format: PictureFormat(header.kind))
  }
}

extension PictureLimits {
  /// Reads the header of a file.
  func header(of file: Bytes) throws(ImagingError) -> PictureHeader {
    let kinds = Set(kinds.map(PictureKind.init))
    // By default, libvips blocks the loaders of these kinds. Allow one when a file first needs it.
    let guarded: Set<PictureKind> = [.avif, .heic]
    if !kinds.isDisjoint(with: guarded), let kind = PictureKind(sniffing: file),
      guarded.contains(kind), kinds.contains(kind)
    {
      try Vips.allow([kind])
    }
    return try PictureHeader(of: file, kinds: kinds, maximumPixels: pixels, maximumFrames: frames)
  }
}

extension RenderTicket {
  /// Runs one step, unless the order is cancelled or its deadline has passed.
  func step<Value>(_ body: () throws -> Value) throws -> Value {
    try check()
    do { return try body() } catch let error as ImagingError { throw MemeError(error) }
  }
}

extension PictureShape {
  /// See ``PictureShape/size(ofWidth:height:)``.
  func size(of picture: PixelSize) -> PixelSize {
    let (width, height) = size(ofWidth: picture.width, height: picture.height)
    return PixelSize(width: width, height: height)
  }
}
