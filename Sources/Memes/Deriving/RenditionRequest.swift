/// How somebody wants a meme's picture, where not as it is.
package struct PictureWish: Sendable {
  /// `nil`: as wide as it is.
  package let width: PictureWidth?
  /// The kind of file instead of the one that the picture is; where there is none, that one.
  package let formats: [PictureFormat: OutputFormat]

  /// - Parameter format: whatever the picture is; `nil`: as it is.
  package init(width: PictureWidth?, format: OutputFormat?) {
    let formats = format.map { format in PictureFormat.allCases.map { ($0, format) } } ?? []
    self.init(width: width, formats: Dictionary(uniqueKeysWithValues: formats))
  }

  package init(width: PictureWidth?, formats: [PictureFormat: OutputFormat]) {
    (self.width, self.formats) = (width, formats)
  }

  /// Whether every picture is what is wanted.
  package var isEmpty: Bool { width == nil && formats.isEmpty }

  /// What is to be made of a picture; `nil` where it is what is wanted.
  ///
  /// Pictures are never enlarged, and keep their proportions.
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

/// The width that a picture is wanted in, in pixels.
package struct PictureWidth: Hashable, Sendable {
  package static let range = MaxEdge.range

  package let pixels: Int

  package init(pixels: Int) throws(InvalidValue) {
    self.pixels = try MaxEdge(pixels: pixels).pixels
  }

  /// The widths that are made; above the last one every picture is as wide as it is.
  private static let steps = [
    range.lowerBound, 32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
    range.upperBound,
  ]

  private init(step: Int) { pixels = step }

  /// The next of few widths that is as wide: many who want a picture in as many widths get few.
  package var steppedUp: PictureWidth {
    PictureWidth(step: Self.steps.first { $0 >= pixels } ?? Self.range.upperBound)
  }

  /// The widest of few widths that has no more pixels, or else the narrowest.
  package init(fitting pixels: Int) {
    self.init(step: Self.steps.last { $0 <= pixels } ?? Self.range.lowerBound)
  }
}

/// A picture that is made of another one.
package struct Derivation: Hashable, Sendable {
  /// Any client may have one made, of any meme, in any kind of file: larger ones are made smaller. 4096 × 4096.
  package static let maximumPixels = 16 << 20

  /// No edge is longer than the other picture's.
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

  fileprivate func scaled(toFit edge: Int) -> PixelSize {
    let ratio = Double(edge) / Double(longestEdge)
    return PixelSize(
      width: max(1, Int((Double(width) * ratio).rounded())),
      height: max(1, Int((Double(height) * ratio).rounded())))
  }
}
