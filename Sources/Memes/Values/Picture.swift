package import Bytes

/// The picture formats that the server reads or writes.
package enum PictureFormat: String, CaseIterable, Sendable {
  case jpeg, png, gif, webp, avif, heic

  /// The formats that are read by default.
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

  /// A file name with the extension of this format.
  package func fileName(_ stem: String) -> String {
    "\(stem).\(self == .jpeg ? "jpg" : rawValue)"
  }
}

/// Width and height in pixels, both at least 1.
package struct PixelSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The longest edge of this size, scaled down in proportion to at most this many pixels.
  package func longestEdge(withinPixels pixels: Int) -> Int {
    let longest = max(width, height)
    let ratio = (Double(pixels) / (Double(width) * Double(height))).squareRoot()
    return ratio < 1 ? max(1, Int(Double(longest) * ratio)) : longest
  }

  /// The size that fits in a square, in proportion and never enlarged.
  package func scaled(toFit edge: Int) -> PixelSize {
    let ratio = min(1, Double(edge) / Double(max(width, height)))
    return PixelSize(
      width: max(1, Int((Double(width) * ratio).rounded())),
      height: max(1, Int((Double(height) * ratio).rounded())))
  }
}

/// The facts of a picture file, without its bytes.
package struct PictureFacts: Hashable, Sendable {
  /// The size as displayed: upright, after applying the EXIF orientation.
  package let size: PixelSize
  package let format: PictureFormat
  package let byteCount: Int
  package let digest: Digest

  package init(size: PixelSize, format: PictureFormat, byteCount: Int, digest: Digest) {
    (self.size, self.format, self.byteCount, self.digest) = (size, format, byteCount, digest)
  }
}

package struct PictureFile: Sendable {
  package let facts: PictureFacts
  package let bytes: Bytes

  package init(facts: PictureFacts, bytes: Bytes) { (self.facts, self.bytes) = (facts, bytes) }
}

/// The stored files of a meme.
package enum PictureRole: Int, CaseIterable, Sendable {
  /// The uploaded file.
  case original = 0
  /// The picture with its captions.
  case image = 1
  /// The small picture for a table row.
  case tableThumbnail = 2
  /// The picture for a grid cell.
  case gridThumbnail = 3
}

/// The number of a stored file of a meme: that of its role, or a number of its own for each picture in a box.
package struct PictureNumber: Hashable, Sendable {
  package let rawValue: Int

  package init(_ role: PictureRole) { rawValue = role.rawValue }

  private init(rawValue: Int) { self.rawValue = rawValue }

  /// - Parameter index: an index of ``Recipe/pictures``.
  package static func boxed(_ index: Int) -> PictureNumber {
    PictureNumber(rawValue: firstBoxed + index)
  }

  /// The number of the first picture in a box. All numbers from this one on are pictures in boxes.
  package static let firstBoxed = 4
}
