/// The requested size and format of a meme's picture.
package struct RenditionRequest: Sendable {
  /// `nil` keeps the width of the picture.
  package let width: PictureWidth?
  /// The requested format for each format of the source. A source format without an entry is kept.
  package let formats: [PictureFormat: OutputFormat]

  /// - Parameter format: the format for every picture; `nil` keeps the format of the picture.
  package init(width: PictureWidth?, format: OutputFormat?) {
    let formats = format.map { format in PictureFormat.allCases.map { ($0, format) } } ?? []
    self.init(width: width, formats: Dictionary(uniqueKeysWithValues: formats))
  }

  package init(width: PictureWidth?, formats: [PictureFormat: OutputFormat]) {
    (self.width, self.formats) = (width, formats)
  }

  /// Whether every picture satisfies the request as it is.
  package var isEmpty: Bool { width == nil && formats.isEmpty }

  /// The rendition to make from a picture; `nil` if the picture itself satisfies the request.
  ///
  /// Pictures are never enlarged, and keep their aspect ratio.
  package func derivation(of facts: PictureFacts) -> Derivation? {
    let isNarrower = width.map { $0.pixels < facts.size.width } ?? false
    guard let format = formats[facts.format] ?? OutputFormat(facts.format),
      isNarrower || PictureFormat(format) != facts.format
    else { return nil }
    let size = isNarrower ? facts.size.scaled(toWidth: width?.pixels ?? 1) : facts.size
    let longest = min(
      facts.size.longestEdge(withinPixels: Derivation.maximumPixels), format.longestEdge ?? .max)
    guard size.longestEdge > longest else { return Derivation(size: size, format: format) }
    return Derivation(size: facts.size.scaled(toFit: longest), format: format)
  }
}

/// A requested picture width, in pixels.
package struct PictureWidth: Hashable, Sendable {
  package static let range = MaxEdge.range

  package let pixels: Int

  package init(pixels: Int) throws(InvalidValue) {
    self.pixels = try MaxEdge(pixels: pixels).pixels
  }

  /// The widths of renditions. Above the last one, a picture keeps its own width.
  private static let steps = [
    range.lowerBound, 32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
    range.upperBound,
  ]

  private init(step: Int) { pixels = step }

  /// The next larger of the fixed widths, so that requests for many widths share a few renditions.
  package var steppedUp: PictureWidth {
    PictureWidth(step: Self.steps.first { $0 >= pixels } ?? Self.range.upperBound)
  }

  /// The largest of the fixed widths that is at most `pixels`, or the smallest one.
  package init(fitting pixels: Int) {
    self.init(step: Self.steps.last { $0 <= pixels } ?? Self.range.lowerBound)
  }
}

/// The size and format of a rendition.
package struct Derivation: Hashable, Sendable {
  /// The maximum number of pixels, 4096 × 4096. Any client may request a rendition of any meme in any format, so larger
  /// ones are scaled down.
  package static let maximumPixels = 16 << 20

  /// No edge is longer than that of the source.
  package let size: PixelSize
  package let format: OutputFormat

  package init(size: PixelSize, format: OutputFormat) { (self.size, self.format) = (size, format) }
}

extension PixelSize {
  package var longestEdge: Int { max(width, height) }

  fileprivate func scaled(toWidth newWidth: Int) -> PixelSize {
    let ratio = Double(newWidth) / Double(width)
    return PixelSize(width: newWidth, height: max(1, Int((Double(height) * ratio).rounded())))
  }
}
