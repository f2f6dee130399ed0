/// The kinds of file that a render can be.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Quality 85, chroma subsampled 4:2:0.
  case jpeg
  case png
  case webp, gif, avif

  /// What every machine can write.
  package static let everywhere: [OutputFormat] = [.jpeg, .png]

  /// - Returns: `nil` for what is read and never written.
  package init?(_ format: PictureFormat) { self.init(rawValue: format.rawValue) }

  /// How long an edge may be, in pixels, where that is less than any picture's here.
  package var longestEdge: Int? { self == .webp ? 16_383 : nil }

  /// The number of pixels that a render in this format has at most. Larger ones are made smaller: what an encoder takes of
  /// memory for each differs by that much.
  package var maximumPixels: Int {
    switch self {
    case .jpeg, .png: 40 << 20
    case .webp, .gif, .avif: 16 << 20
    }
  }

  /// How long an edge of a picture in this format may be, in pixels, where `maxEdge` is asked for.
  package func longestEdge(within maxEdge: MaxEdge) -> Int {
    min(maxEdge.pixels, longestEdge ?? maxEdge.pixels)
  }

  /// Of a picture that moves, what it becomes where nobody says; `nil` where it cannot go on moving.
  ///
  /// - Parameter source: what it is.
  package static func moving(
    as source: PictureFormat, among formats: [OutputFormat]
  ) -> OutputFormat? {
    let order: [OutputFormat] = source == .webp ? [.webp, .gif] : [.gif, .webp]
    return order.first(where: formats.contains)
  }

  /// What a picture that does not move becomes where nobody says.
  ///
  /// - Parameter formats: those to choose from, at least one.
  package static func suiting(transparent: Bool, among formats: [OutputFormat]) -> OutputFormat {
    let order: [OutputFormat] =
      transparent ? [.png, .webp, .avif, .gif, .jpeg] : [.jpeg, .webp, .avif, .png, .gif]
    return order.first(where: formats.contains) ?? .jpeg
  }
}
