package import Bytes

/// The kinds of picture file that are read.
package enum PictureKind: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp
  /// Both by libheif: a large library with a history of holes, so only where somebody asks for it.
  case avif, heic

  /// Those that are read where nobody says.
  package static let standard: Set<PictureKind> = [.jpeg, .png, .gif, .webp]

  /// Tells the kind by the first bytes of the file, whatever its name or media type says.
  ///
  /// - Returns: `nil` for anything that is never read: SVG, PDF, BMP, no picture at all.
  package init?(sniffing file: Bytes) {
    let kind: PictureKind? = file.withUnsafeBytes { bytes in
      if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
      if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
      if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
        return .webp
      }
      // A box of ISO/IEC 14496-12 §4.3: its length, its name, the brand.
      if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
        let brand = bytes.dropFirst(8)
        if brand.starts(with: "avif".utf8) { return .avif }
        if ["heic", "heix"].contains(where: { brand.starts(with: $0.utf8) }) { return .heic }
      }
      return nil
    }
    guard let kind else { return nil }
    self = kind
  }

  var loader: String {
    switch self {
    case .jpeg: "jpegload_buffer"
    case .png: "pngload_buffer"
    case .gif: "gifload_buffer"
    case .webp: "webpload_buffer"
    case .avif, .heic: "heifload_buffer"
    }
  }
}
