package import Bytes

/// The supported kinds of picture file.
package enum PictureKind: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp
  /// Both need libheif, a large library with a history of vulnerabilities, so callers must enable them explicitly.
  case avif, heic

  /// The kinds that are accepted by default.
  package static let standard: Set<PictureKind> = [.jpeg, .png, .gif, .webp]

  /// Detects the kind from the first bytes of the file. Ignores its name and media type.
  ///
  /// - Returns: `nil` for all other files, such as SVG, PDF, BMP, or files that are not pictures.
  package init?(sniffing file: Bytes) {
    let kind: PictureKind? = file.withUnsafeBytes { bytes in
      if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
      if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
      if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
        return .webp
      }
      // A box (ISO/IEC 14496-12 §4.3): its length, its name, the major brand, a version, and the compatible brands.
      if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
        if let named = PictureKind(brand: bytes.dropFirst(8)) { return named }
        // `mif1` does not say how the picture is coded (ISO/IEC 23008-12 §10.2). The file of an animation, `avis`, also
        // has a still picture (AV1 Image File Format §6). In both cases, another brand names the kind.
        let major = bytes.dropFirst(8)
        guard major.starts(with: "mif1".utf8) || major.starts(with: "avis".utf8) else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let end = min(length, bytes.count, PictureKind.maximumBrandBytes)
        for place in stride(from: 16, to: end - 3, by: 4) {
          if let named = PictureKind(brand: bytes.dropFirst(place)) { return named }
        }
      }
      return nil
    }
    guard let kind else { return nil }
    self = kind
  }

  /// The part of a file in which its brands are searched. Encoders write a few brands.
  private static let maximumBrandBytes = 256

  private init?(brand: some Collection<UInt8>) {
    switch String(decoding: brand.prefix(4), as: UTF8.self) {
    case "avif": self = .avif
    case "heic", "heix": self = .heic
    default: return nil
    }
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
