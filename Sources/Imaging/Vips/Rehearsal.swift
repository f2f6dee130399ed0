import Bytes

/// Does once what makes libraries load parts of theirs, or write machine code, with small pictures: scaling, and the decoders that
/// libheif has as plug-ins. All else is loaded with the program.
package enum Rehearsal {
  package static func run() {
    let (picture, small) = (PixelBuffer(), PixelBuffer())
    // With alpha, libvips would count in fractions, without machine code.
    picture.reshape(width: 64, height: 48, channels: 3)
    for (place, index) in picture.pixels.indices.enumerated() {
      picture.pixels[index] = UInt8(truncatingIfNeeded: place &* 37)
    }
    for edge in [40, 20] { try? picture.scale(toFit: edge, into: small) }
    try? Vips.allow([.avif, .heic])
    // If the machine has no decoder for a kind, there will be none later.
    for kind in [PictureKind.avif, .heic] { _ = Vips.reads(kind) }
  }
}
