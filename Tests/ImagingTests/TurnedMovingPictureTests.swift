import Bytes
import Support
import Testing

@testable import Imaging

/// A moving WebP with an EXIF orientation.
struct TurnedMovingPictureTests {
  /// The file with an EXIF block that contains only the orientation (WebP container specification; TIFF 6.0).
  private static func turned(_ file: [UInt8], by orientation: Int) -> [UInt8] {
    // Byte order, then one entry: tag 0x0112, a SHORT, count 1. There is no further directory.
    let tiff: [UInt8] =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
      + [UInt8(orientation), 0, 0, 0, 0, 0, 0, 0]
    var turned = file + Array("EXIF".utf8) + littleEndian(tiff.count) + tiff
    turned.replaceSubrange(4..<8, with: littleEndian(turned.count - 8))
    // The flags of VP8X, which is the first chunk.
    turned[20] |= 0x08
    return turned
  }

  private static func littleEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// The position in the 64×48 file of a pixel of the upright picture.
  private static func stored(_ x: Int, _ y: Int, _ orientation: Int) -> (Int, Int) {
    switch orientation {
    case 2: (63 - x, y)
    case 3: (63 - x, 47 - y)
    case 4: (x, 47 - y)
    case 5: (y, x)
    case 6: (y, 47 - x)
    case 7: (63 - y, 47 - x)
    case 8: (63 - y, x)
    default: (x, y)
    }
  }

  @Test(arguments: 1...8)
  func `each frame is read upright`(orientation: Int) throws {
    let file = try MovingFixture.wholeWebP.bytes
    let (film, plain) = (
      try Film(Bytes(Self.turned(file, by: orientation))), try Film(Bytes(file))
    )
    #expect(film.frames.count == plain.frames.count && film.delays == plain.delays)
    for (frame, other) in zip(film.frames, plain.frames) {
      #expect([frame.width, frame.height] == (orientation < 5 ? [64, 48] : [48, 64]))
      let isUpright = (0..<frame.width * frame.height).allSatisfy { place in
        let (x, y) = (place % frame.width, place / frame.width)
        return frame.rgba((x, y)) == other.rgba(Self.stored(x, y, orientation))
      }
      #expect(isUpright)
    }
  }

  @Test(arguments: [MovingPicture.Format.gif, .webp])
  func `written frames are upright and not turned again`(format: MovingPicture.Format) throws {
    let file = Bytes(Self.turned(try MovingFixture.wholeWebP.bytes, by: 6))
    let header = try PictureHeader(of: file, maximumPixels: 64 * 48 * 5)
    #expect([header.width, header.height, header.frames] == [48, 64, 5])
    let ink = PixelBuffer()
    try ink.clear(width: 48, height: 64)
    let first = PixelBuffer()
    let film = try Film(
      MovingPicture.redraw(
        file, header: header, shape: PictureShape(maximumEdge: 64), ink: InkLayer(ink), as: format,
        first: first, isOver: { false }))
    let upright = try Film(file)
    #expect(film.frames.count == 5)
    for (frame, other) in zip(film.frames, upright.frames) {
      #expect([frame.width, frame.height] == [48, 64])
      let difference = (0..<48 * 64).reduce(0) { sum, place in
        let pixel = (place % 48, place / 48)
        return sum + PixelBuffer.distance(frame.rgba(pixel), other.rgba(pixel))
      }
      #expect(difference / (48 * 64) < (format == .gif ? 2 : 10))
    }
    #expect(first.farthest(from: upright.frames[0]).0 <= 2)
  }
}
