import Bytes

/// Runs the operations that make libraries load plug-ins or generate machine code, with small pictures. These are
/// scaling and the plug-in decoders of libheif. The program loads everything else when it starts.
package enum LibraryWarmUp {
  package static func run() {
    let (picture, small) = (PixelBuffer(), PixelBuffer())
    // With alpha, libvips would compute in floating point, without machine code.
    picture.reshape(width: 64, height: 48, channels: 3)
    for (place, index) in picture.pixels.indices.enumerated() {
      picture.pixels[index] = UInt8(truncatingIfNeeded: place &* 37)
    }
    // Larger reductions are not made by libvips.
    for edge in [60, 52] { try? picture.scale(toFit: edge, into: small) }
    try? Vips.allow([.avif, .heic])
    // A decoder that is missing now stays missing, so ignore the result.
    for kind in [PictureKind.avif, .heic] { _ = Vips.reads(kind) }
  }
}
