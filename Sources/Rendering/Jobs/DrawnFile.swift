package import Bytes
package import Memes

/// A picture's file as it was made, before anybody has counted its digest.
package struct DrawnFile: Sendable, Equatable {
  package let size: PixelSize
  package let format: PictureFormat
  package let bytes: Bytes

  package init(size: PixelSize, format: PictureFormat, bytes: Bytes) {
    (self.size, self.format, self.bytes) = (size, format, bytes)
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
