import Bytes
import Testing

@testable import Imaging

/// Pictures that are much longer than wide. Their short edge must not vanish when they are reduced: libvips ends the
/// process if it is asked for the pixels of an empty picture.
struct ThinPictureTests {
  private static let shapes = [
    (36_361, 7), (7, 36_361), (65_500, 1), (1, 65_500), (20_000, 3), (3, 20_000), (4095, 9),
    (17, 4097),
  ]

  @Test(arguments: shapes, ["jpegsave_buffer", "pngsave_buffer", "webpsave_buffer"])
  func `a picture is at least one pixel wide and high at any size`(
    shape: (width: Int, height: Int), saver: String
  ) throws {
    // WebP allows no edge over 16383 pixels.
    guard saver != "webpsave_buffer" || max(shape.width, shape.height) < 16_384 else { return }
    let file = try TestPictures.save(
      TestPictures.plain(width: shape.width, height: shape.height), by: saver)
    let header = try PictureHeader(of: file, maximumPixels: 10_000_000)
    let buffer = PixelBuffer()
    for maximumEdge in [16, 64, 512, 2048, 16_384] {
      try PictureDecoder.decode(file, header: header, maximumEdge: maximumEdge, into: buffer)
      let longest = max(buffer.width, buffer.height)
      #expect(longest == min(maximumEdge, max(shape.width, shape.height)))
      #expect(min(buffer.width, buffer.height) >= 1)
      #expect(buffer.distance(buffer.width / 2, buffer.height / 2, TestPictures.grey) <= 2)
    }
  }
}
