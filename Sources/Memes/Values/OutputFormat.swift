/// The kinds of file that a render can be.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Quality 85, chroma subsampled 4:2:0.
  case jpeg
  case png
  case webp, gif, avif

  /// What every machine can write.
  package static let everywhere: [OutputFormat] = [.jpeg, .png]

  /// What a picture becomes where nobody says.
  ///
  /// - Parameter formats: those to choose from, at least one.
  package static func suiting(transparent: Bool, among formats: [OutputFormat]) -> OutputFormat {
    let order: [OutputFormat] =
      transparent ? [.png, .webp, .avif, .gif, .jpeg] : [.jpeg, .webp, .avif, .png, .gif]
    return order.first(where: formats.contains) ?? .jpeg
  }
}
