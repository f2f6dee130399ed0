package import Imaging

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
