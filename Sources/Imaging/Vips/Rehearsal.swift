import Bytes

/// Does everything once, with a small picture: libraries load parts of theirs, and make code, when they first do something.
package enum Rehearsal {
  package static func run() {
    let (picture, small) = (PixelBuffer(), PixelBuffer())
    picture.reshape(width: 64, height: 48, channels: 4)
    for (place, index) in picture.pixels.indices.enumerated() {
      picture.pixels[index] = UInt8(truncatingIfNeeded: place &* 37)
    }
    // If the machine has no encoder for a kind, there will be none later.
    if let file = try? PictureEncoder.png(picture) { decode(file, into: small) }
    if let file = try? PictureEncoder.webp(picture) { decode(file, into: small) }
    if let file = try? PictureEncoder.gif(picture) { decode(file, into: small) }
    if let file = try? PictureEncoder.avif(picture) { decode(file, into: small) }
    picture.flatten()
    if let file = try? PictureEncoder.jpeg(picture, quality: 80) { decode(file, into: small) }
  }

  private static func decode(_ file: Bytes, into picture: PixelBuffer) {
    if PictureKind(sniffing: file) == .avif { _ = try? Vips.allow([.avif]) }
    let header = try? PictureHeader(
      of: file, kinds: PictureKind.standard.union([.avif]), maximumPixels: 1 << 20)
    guard let header else { return }
    for edge in [40, 20, 64] {
      try? PictureDecoder.decode(file, header: header, maximumEdge: edge, into: picture)
    }
    let smaller = PixelBuffer()
    try? picture.scale(toFit: 10, into: smaller)
  }
}
