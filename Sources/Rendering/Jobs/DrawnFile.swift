package import Bytes
package import Memes

/// The file of a drawn picture, before its digest is computed.
package struct DrawnFile: Sendable, Equatable {
  package let size: PixelSize
  package let format: PictureFormat
  package let bytes: Bytes

  package init(size: PixelSize, format: PictureFormat, bytes: Bytes) {
    (self.size, self.format, self.bytes) = (size, format, bytes)
  }
}

extension DrawnFile {
  /// Whether the file begins with the signature of its format, so that no HTML page is served as an image.
  var isOfItsKind: Bool {
    bytes.withUnsafeBytes { bytes in
      func has(_ text: [UInt8], at place: Int = 0) -> Bool {
        bytes.dropFirst(place).prefix(text.count).elementsEqual(text)
      }
      return switch format {
      case .jpeg: has([0xFF, 0xD8, 0xFF])
      case .png: has([0x89] + Array("PNG\r\n\u{1A}\n".utf8))
      case .gif: has(Array("GIF8".utf8))
      case .webp: has(Array("RIFF".utf8)) && has(Array("WEBP".utf8), at: 8)
      case .avif: has(Array("ftypavi".utf8), at: 4)
      // HEIC is read but never written.
      case .heic: false
      }
    }
  }
}

extension PictureFile {
  init(_ file: DrawnFile, _ digest: Digester) {
    self.init(
      facts: PictureFacts(
        size: file.size, format: file.format, byteCount: file.bytes.count,
        digest: digest(file.bytes)),
      bytes: file.bytes)
  }
}
