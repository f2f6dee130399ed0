import Imaging
import Memes

/// The processing time of jobs, in pixels: reading and rewriting a JPEG of that many pixels takes the same time.
///
/// The factors lie between those of a photo and of noise, as measured by `bench-render
/// --costs`. Noise takes up to twice as long.
enum JobCost {
  static func still(
    _ header: PictureHeader, output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe?
  ) -> Int {
    reading(header, output: output) + made(output, formats, recipe)
  }

  /// The cost of drawing on pixels that are already decoded.
  static func made(_ output: PixelSize, _ formats: [OutputFormat], _ recipe: Recipe?) -> Int {
    let writing = formats.map(writing).max() ?? 0
    return cost(output.width * output.height, writing) + (recipe.map { text($0, on: output) } ?? 0)
  }

  /// The cost of a picture in a box: reading it, and blending it over at most the whole picture.
  static func boxed(_ header: PictureHeader, drawn: PixelSize, on output: PixelSize) -> Int {
    reading(header, output: drawn) + drawn.width * drawn.height + output.width * output.height
  }

  /// - Parameter frame: the size of each output frame.
  static func moving(
    _ header: PictureHeader, frame: PixelSize, as format: OutputFormat, _ recipe: Recipe?
  ) -> Int {
    let each = reading(header, output: frame) + cost(frame.width * frame.height, writing(format))
    return each * header.frames + (recipe.map { text($0, on: frame) } ?? 0)
  }

  private static func cost(_ pixels: Int, _ factor: Double) -> Int { Int(Double(pixels) * factor) }

  /// The cost of reading one frame.
  private static func reading(_ header: PictureHeader, output: PixelSize) -> Int {
    let (pixels, wanted) = (header.width * header.height, output.width * output.height)
    guard header.kind == .jpeg else { return cost(pixels, reading(header.kind)) }
    // Entropy decoding covers all pixels. The rest is done at no more than twice the requested edges.
    // A progressive JPEG usually has about ten scans.
    let entropy = header.scans > 1 ? 0.06 * Double(max(10, header.scans)) : 0.3
    return cost(pixels, entropy) + cost(min(pixels, 4 * wanted), 0.3)
  }

  private static func reading(_ kind: PictureKind) -> Double {
    switch kind {
    case .jpeg: 0.6
    case .png: 2
    case .gif: 1
    case .webp: 3
    case .avif, .heic: 5
    }
  }

  /// The factor for encoding a picture and its thumbnails.
  private static func writing(_ format: OutputFormat) -> Double {
    switch format {
    case .jpeg: 0.5
    case .png: 9
    case .webp: 8
    case .gif, .avif: 25
    }
  }

  /// The cost of fitting and drawing captions.
  private static func text(_ recipe: Recipe, on output: PixelSize) -> Int {
    let pixels = output.width * output.height
    // Fitting bars takes up to five tries. Assume three.
    let tries = (recipe.layout == .bar ? 3 : 1) * (recipe.sameSize ? 2 : 1)
    let edges = [recipe.top, recipe.bottom].map { tries * text($0, on: pixels / 4) }
    let boxes = recipe.captions.map {
      (recipe.sameSize ? 2 : 1) * text($0.text, on: cost(pixels, $0.place.width * $0.place.height))
    }
    return (edges + boxes).reduce(0, +)
  }

  private static func text(_ text: CaptionText, on pixels: Int) -> Int {
    guard !text.isBlank else { return 0 }
    // Emoji are pictures that are scaled. To outline them, they are drawn twice, and their shape is traced.
    let hasEmoji = text.text.unicodeScalars.contains(where: isEmoji)
    // Joined characters count as one, but a font may have no picture of them together.
    let count = max(text.text.count, text.text.utf8.count / 8)
    return 20_000 + (hasEmoji ? 10_000 : 5000) * count + (hasEmoji ? 2 : 1) * pixels
  }

  /// Whether a font with colors may draw the character. U+FE0F and U+20E3 make emoji of the characters before them.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || scalar.value == 0x20E3
      || scalar.properties.isEmoji && scalar.value > 0xFF
  }
}
