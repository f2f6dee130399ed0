package import Memes

/// Limits for pictures that are drawn on.
package struct PictureLimits: Sendable, Equatable {
  /// The file formats that are read.
  package var kinds = Set(PictureFormat.standard)
  /// The maximum of width × height × frames.
  package var pixels: Int
  package var frames = 200

  package init(pixels: Int) { self.pixels = pixels }

  /// For pictures that this server drew within the limits of their time. Limits on uploads do not apply to them.
  package static let ofRenders: PictureLimits = {
    var limits = PictureLimits(pixels: .max)
    (limits.kinds, limits.frames) = (Set(PictureFormat.standard + [.avif]), .max)
    return limits
  }()
}
