package import Bytes

/// The kinds of picture file that are read or written.
package enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, avif, heic

  /// Those that are read where nobody says.
  package static let standard: [PictureFormat] = [.jpeg, .png, .gif, .webp]

  package init(_ format: OutputFormat) {
    self =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .gif: .gif
      case .webp: .webp
      case .avif: .avif
      }
  }

  /// The media type, as in `Content-Type`.
  package var mediaType: String { "image/\(rawValue)" }

  /// The name of a file of this kind.
  package func fileName(_ stem: String) -> String {
    "\(stem).\(self == .jpeg ? "jpg" : rawValue)"
  }
}

/// Width and height in pixels, both at least 1.
package struct PixelSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Of this picture once it has no more than so many pixels, in proportion.
  package func longestEdge(withinPixels pixels: Int) -> Int {
    let longest = max(width, height)
    let ratio = (Double(pixels) / (Double(width) * Double(height))).squareRoot()
    return ratio < 1 ? max(1, Int(Double(longest) * ratio)) : longest
  }
}

/// What is known of a picture file without its bytes.
package struct PictureFacts: Hashable, Sendable {
  /// As shown: upright, whatever EXIF says.
  package let size: PixelSize
  package let format: PictureFormat
  package let byteCount: Int
  package let digest: Digest

  package init(size: PixelSize, format: PictureFormat, byteCount: Int, digest: Digest) {
    (self.size, self.format, self.byteCount, self.digest) = (size, format, byteCount, digest)
  }
}

/// A picture file.
package struct PictureFile: Sendable {
  package let facts: PictureFacts
  package let bytes: Bytes

  package init(facts: PictureFacts, bytes: Bytes) { (self.facts, self.bytes) = (facts, bytes) }
}

/// The files that are kept of every meme.
package enum PictureRole: Int, CaseIterable, Sendable {
  /// The bytes as uploaded.
  case original = 0
  /// The memed picture.
  case image = 1
  /// The small picture of a table's row.
  case tableThumbnail = 2
  /// The picture of a grid's cell.
  case gridThumbnail = 3
}
