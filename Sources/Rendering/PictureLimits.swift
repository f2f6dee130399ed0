package import Imaging

/// What an uploaded picture may be.
package struct PictureLimits: Sendable, Equatable {
  /// Of any others than ``PictureKind/standard``, ``Vips/allow(_:)`` is told first.
  package var kinds = PictureKind.standard
  /// Of width × height × frames.
  package var pixels: Int
  package var frames = 200

  package init(pixels: Int) { self.pixels = pixels }
}
