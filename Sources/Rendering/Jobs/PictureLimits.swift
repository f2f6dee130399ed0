import Bytes
package import Imaging
import Memes

/// What a picture may be that is drawn on.
package struct PictureLimits: Sendable, Equatable {
  /// Of any others than ``PictureKind/standard``, ``Vips/allow(_:)`` is told first.
  package var kinds = PictureKind.standard
  /// Of width × height × frames.
  package var pixels: Int
  package var frames = 200

  package init(pixels: Int) { self.pixels = pixels }

  /// Of pictures that were drawn here, within the limits of their time. Libvips is allowed to read AVIF when it first has
  /// to: what may be uploaded is not for it to say.
  package static let ofRenders: PictureLimits = {
    var limits = PictureLimits(pixels: .max)
    (limits.kinds, limits.frames) = (PictureKind.standard.union([.avif]), .max)
    return limits
  }()
}

extension PictureLimits {
  /// Reads the head of a file.
  func header(of file: Bytes) throws(ImagingError) -> PictureHeader {
    if self == .ofRenders, PictureKind(sniffing: file) == .avif { _ = try Vips.allow([.avif]) }
    return try PictureHeader(of: file, kinds: kinds, maximumPixels: pixels, maximumFrames: frames)
  }
}

extension PictureFacts {
  init(_ header: PictureHeader, of file: Bytes, _ digest: Digester) {
    self.init(
      size: PixelSize(header),
      format: PictureFormat(header.kind), byteCount: file.count, digest: digest(file))
  }
}
