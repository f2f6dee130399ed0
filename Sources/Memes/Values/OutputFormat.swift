/// The formats that the server can write.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Quality 85, chroma subsampled 4:2:0.
  case jpeg
  case png
  case webp, gif, avif

  /// The formats that every machine can write.
  package static let everywhere: [OutputFormat] = [.jpeg, .png]

  /// - Returns: `nil` for formats that the server reads but never writes.
  package init?(_ format: PictureFormat) { self.init(rawValue: format.rawValue) }

  /// The format's own limit for the length of an edge, in pixels; `nil` if it is not below that of ``MaxEdge``.
  package var longestEdge: Int? { self == .webp ? 16_383 : nil }

  /// The maximum number of pixels of a rendering in this format; larger ones are scaled down. The limits differ because
  /// encoders need different amounts of memory per pixel.
  package var maximumPixels: Int {
    switch self {
    case .jpeg, .png: 40 << 20
    case .webp, .gif, .avif: 16 << 20
    }
  }

  /// The default format for an animated picture; `nil` if no format can keep the animation.
  ///
  /// - Parameter source: the format of the picture.
  package static func moving(
    as source: PictureFormat, among formats: [OutputFormat]
  ) -> OutputFormat? {
    let order: [OutputFormat] = source == .webp ? [.webp, .gif] : [.gif, .webp]
    return order.first(where: formats.contains)
  }

  /// The default format for a still picture.
  ///
  /// - Parameter formats: the formats to choose from, at least one.
  package static func suiting(transparent: Bool, among formats: [OutputFormat]) -> OutputFormat {
    let order: [OutputFormat] =
      transparent ? [.png, .webp, .avif, .gif, .jpeg] : [.jpeg, .webp, .avif, .png, .gif]
    return order.first(where: formats.contains) ?? .jpeg
  }
}
