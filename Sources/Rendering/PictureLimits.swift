import Bytes
package import Imaging
import Memes

/// What an uploaded picture may be.
package struct PictureLimits: Sendable, Equatable {
  /// Of any others than ``PictureKind/standard``, ``Vips/allow(_:)`` is told first.
  package var kinds = PictureKind.standard
  /// Of width × height × frames.
  package var pixels: Int
  package var frames = 200

  package init(pixels: Int) { self.pixels = pixels }
}

extension PictureLimits {
  /// Reads the head of an uploaded file.
  func header(of file: Bytes) throws(ImagingError) -> PictureHeader {
    try PictureHeader(of: file, kinds: kinds, maximumPixels: pixels, maximumFrames: frames)
  }
}

extension PictureFacts {
  init(_ header: PictureHeader, of file: Bytes, _ digest: Digester) {
    self.init(
      size: PixelSize(header),
      format: PictureFormat(header.kind), byteCount: file.count, digest: digest(file))
  }
}
