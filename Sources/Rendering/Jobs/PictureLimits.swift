package import Memes

/// What a picture may be that is drawn on.
package struct PictureLimits: Sendable, Equatable {
  /// The kinds of file that are read.
  package var kinds = Set(PictureFormat.standard)
  /// Of width × height × frames.
  package var pixels: Int
  package var frames = 200

  package init(pixels: Int) { self.pixels = pixels }

  /// Of pictures that were drawn here, within the limits of their time. What may be uploaded is not for these to say.
  package static let ofRenders: PictureLimits = {
    var limits = PictureLimits(pixels: .max)
    (limits.kinds, limits.frames) = (Set(PictureFormat.standard + [.avif]), .max)
    return limits
  }()
}
